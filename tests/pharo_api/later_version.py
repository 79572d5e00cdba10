"""A version of which there are no complete sources: the one before, changed as the migration rules say."""

from collections.abc import Iterable, Mapping

from pharo_api.classes import ClassInfo, Side
from pharo_mcp.migrations.rules import Rule, all_rules

NEWEST = "14"


def later_classes(number: str, before: Mapping[str, ClassInfo]) -> dict[str, ClassInfo]:
    """The classes of a version, made of those of the version before."""
    rules = [rule for rule in all_rules() if rule.version == int(number) and rule.owner in before]
    classes = dict(before)
    for name in {rule.owner for rule in rules}:
        classes[name] = before[name].copy()
    change_methods(rules, classes)
    for rule in rules:
        if ">>" in rule.old:
            continue
        info = classes[rule.old]
        if rule.new:
            classes[rule.new] = renamed(info, rule.new)
        if rule.state == "gone":
            del classes[rule.old]
    return classes


def change_methods(rules: Iterable[Rule], classes: Mapping[str, ClassInfo]) -> None:
    """Take away the methods that are gone, mark those that are deprecated, and add those in their place."""
    for rule in rules:
        if ">>" not in rule.old:
            continue
        info, side = classes[rule.owner], Side.CLASS if rule.is_sent_to_class else Side.INSTANCE
        if rule.state == "gone":
            info.selectors[side].discard(rule.name)
        else:
            info.selectors[side].add(rule.name)
            info.deprecated[side].add(rule.name)
        if rule.has_new_selector:
            info.selectors[side].add(rule.new)


def renamed(info: ClassInfo, name: str) -> ClassInfo:
    """A class under another name; the old one stays known as an alias."""
    result = info.copy()
    result.name = name
    return result
