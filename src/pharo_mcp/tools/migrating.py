"""Tells what packages use that a newer version of Pharo lacks or deprecates."""

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from typing import NamedTuple

from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.code import NameUse
from pharo_mcp.migrations.rules import Rule, names_without_rule, rules
from pharo_mcp.tools.wording import count, indented, listed

MOST_PLACES = 8
"""Methods that are named of each rule; others are counted."""
CERTAIN = "Certain:"
"""The heading of what can be rewritten now."""


class Found(NamedTuple):
    """A rule, and the methods and classes that it is about."""

    rule: Rule
    places: Sequence[str]


class Migration(NamedTuple):
    """What some packages use of an older version, under headings; `methods` are those that were looked at."""

    version: int
    packages: Sequence[str]
    methods: int
    found: Mapping[str, Sequence[Found]]

    @property
    def rewrites(self) -> list[tuple[str, str]]:
        """The patterns of what can be rewritten now, each with its replacement."""
        return [found.rule.rewrite for found in self.found[CERTAIN]]

    @property
    def rewritten(self) -> list[str]:
        """The methods that they apply to."""
        return sorted({place for found in self.found[CERTAIN] for place in found.places})


def find_lost_names(image: ImageClient, packages: Sequence[str], version: int) -> Migration:
    """Look for all names that a version lacks or deprecates in some packages."""
    every = (*rules(version), *names_without_rule(version))
    names = {rule.name for rule in every} | {rule.owner for rule in every if rule.needs_class_named}
    needed = set[str]().union(*(rule.needed for rule in every))
    uses = image.ask(endpoints.USES, packages=packages, names=sorted(names), needed=sorted(needed))

    def found_by(is_about: Callable[[Rule, NameUse], bool]) -> list[Found]:
        found = (Found(rule, sorted(str(use) for use in uses.uses if is_about(rule, use))) for rule in every)
        return [each for each in found if each.places]

    used = found_by(is_used)
    certain = [
        each for each in used if each.rule.new and is_certain(each.rule, uses.version, {*uses.missing})
    ]
    headings = {
        CERTAIN: certain,
        "To rewrite after the move, since this image lacks the replacement:": [
            each for each in used if each.rule.new and each not in certain
        ],
        "To look at:": [each for each in used if not each.rule.new],
        "Superclasses, to change in the definitions:": found_by(is_superclass),
        "Extensions, which may be lost where the class has its new name:": found_by(is_extended),
        "Overridden, but no longer sent or deprecated:": found_by(is_overridden),
    }
    return Migration(version, packages, uses.methods, headings)


def is_certain(rule: Rule, version: int, missing: Set[str]) -> bool:
    """Whether code can be rewritten in an image of this version that lacks some names."""
    return missing.isdisjoint(rule.needed) and (rule.apply == "always" or version >= rule.version)


def is_used(rule: Rule, use: NameUse) -> bool:
    """Whether a method uses what a rule is about."""
    is_meant = use.selector is not None and (not rule.needs_class_named or rule.owner in use.names)
    return is_meant and rule.name in use.names and not is_extended(rule, use)


def is_superclass(rule: Rule, use: NameUse) -> bool:
    """Whether a class inherits from the one that a rule is about."""
    return use.selector is None and rule.name in use.names


def is_extended(rule: Rule, use: NameUse) -> bool:
    """Whether a method extends the class that a rule is about."""
    return use.selector is not None and use.class_name == rule.name


def is_overridden(rule: Rule, use: NameUse) -> bool:
    """Whether a method overrides the one that a rule is about."""
    return use.overrides and use.selector == rule.name


def migration_lines(migration: Migration) -> Iterator[str]:
    """Yield how much was found, and each name with the methods that use it."""
    found = count(sum(map(len, migration.found.values())), "name")
    where = f"{count(migration.methods, 'method')} of {', '.join(migration.packages)}"
    yield f"Found {found} in {where} that Pharo {migration.version} lacks or deprecates."
    for heading, part in migration.found.items():
        if part:
            yield heading
        for each in part:
            yield from indented((sentence(each.rule), *indented([listed(each.places, MOST_PLACES)])))


def sentence(rule: Rule) -> str:
    """Return what a rule says, in a line."""
    what = f"{rule.old} ({rule.state} in {rule.version})"
    return f"{what} → {rule.new}" if rule.new else ": ".join(filter(None, [what, rule.note]))
