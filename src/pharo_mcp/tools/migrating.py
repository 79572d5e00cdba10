"""Tells what packages use that a newer version of Pharo lacks or deprecates."""

from collections.abc import Callable, Iterator, Sequence, Set
from typing import NamedTuple

from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.code import NameUse, NameUses
from pharo_mcp.migrations.rules import Rule, names_without_rule, rules
from pharo_mcp.tools.wording import count, listed

MOST_PLACES = 8
"""Methods that are named of each rule; others are counted."""


class Found(NamedTuple):
    """A rule, and the methods and classes that it is about."""

    rule: Rule
    places: tuple[str, ...]


class Migration(NamedTuple):
    """What packages use of an older version: what can be rewritten now, what later, and what by hand.

    `subclasses` are the classes whose superclass is gone or has another name, and `extensions` the methods by
    which packages extend such a class.
    """

    version: int
    packages: tuple[str, ...]
    methods: int
    certain: tuple[Found, ...]
    later: tuple[Found, ...]
    by_hand: tuple[Found, ...]
    subclasses: tuple[Found, ...]
    extensions: tuple[Found, ...]
    overridden: tuple[Found, ...]

    @property
    def rewrites(self) -> list[tuple[str, str]]:
        """The patterns of what can be rewritten now, each with its replacement."""
        return [found.rule.rewrite for found in self.certain]

    @property
    def rewritten(self) -> list[str]:
        """The methods that they apply to."""
        return sorted({place for found in self.certain for place in found.places})


def find_lost_names(image: ImageClient, packages: Sequence[str], version: int) -> Migration:
    """Look for all names that a version lacks or deprecates in some packages."""
    every = (*rules(version), *names_without_rule(version))
    names = {rule.name for rule in every} | {rule.owner for rule in every if rule.needs_class_named}
    needed = set[str]().union(*(rule.needed for rule in every))
    uses = image.ask(endpoints.USES, packages=packages, names=sorted(names), needed=sorted(needed))
    missing = frozenset(uses.missing)

    def found_by(look: Callable[[Rule, NameUses], Iterator[str]]) -> tuple[Found, ...]:
        all_found = (Found(rule, tuple(sorted(look(rule, uses)))) for rule in every)
        return tuple(found for found in all_found if found.places)

    used = found_by(places)
    with_rewrite = [found for found in used if found.rule.new]
    certain = [found for found in with_rewrite if is_certain(found.rule, uses.version, missing)]
    return Migration(
        version,
        tuple(packages),
        uses.methods,
        tuple(certain),
        tuple(found for found in with_rewrite if found not in certain),
        tuple(found for found in used if not found.rule.new),
        found_by(subclasses),
        found_by(extensions),
        found_by(overrides),
    )


def is_certain(rule: Rule, version: int, missing: Set[str]) -> bool:
    """Whether code can be rewritten in an image of this version that lacks some names."""
    return missing.isdisjoint(rule.needed) and (rule.apply == "always" or version >= rule.version)


def places(rule: Rule, uses: NameUses) -> Iterator[str]:
    """Yield the methods that use what a rule is about."""
    for use in uses.uses:
        is_meant = use.selector is not None and (not rule.needs_class_named or rule.owner in use.names)
        if rule.name in use.names and is_meant and not is_extension(rule, use):
            yield str(use)


def subclasses(rule: Rule, uses: NameUses) -> Iterator[str]:
    """Yield the classes that inherit from what a rule is about."""
    return (use.class_name for use in uses.uses if use.selector is None and rule.name in use.names)


def extensions(rule: Rule, uses: NameUses) -> Iterator[str]:
    """Yield the methods that extend the class that a rule is about."""
    return (str(use) for use in uses.uses if is_extension(rule, use))


def is_extension(rule: Rule, use: NameUse) -> bool:
    """Whether a method extends the class that a rule is about."""
    return use.selector is not None and use.class_name == rule.name


def overrides(rule: Rule, uses: NameUses) -> Iterator[str]:
    """Yield the methods that override what a rule is about."""
    return (str(use) for use in uses.uses if use.overrides and use.selector == rule.name)


def migration_lines(migration: Migration) -> Iterator[str]:
    """Yield how much was found, and each name with the methods that use it."""
    parts = {
        "Certain:": migration.certain,
        "To rewrite after the move, since this image lacks the replacement:": migration.later,
        "To look at:": migration.by_hand,
        "Superclasses, to change in the definitions:": migration.subclasses,
        "Extensions, which may be lost where the class has its new name:": migration.extensions,
        "Overridden, but no longer sent or deprecated:": migration.overridden,
    }
    found = count(sum(map(len, parts.values())), "name")
    where = f"{count(migration.methods, 'method')} of {', '.join(migration.packages)}"
    yield f"Found {found} in {where} that Pharo {migration.version} lacks or deprecates."
    for heading, part in parts.items():
        if part:
            yield heading
        for each in part:
            yield f"    {sentence(each.rule)}"
            yield f"        {listed(each.places, MOST_PLACES)}"


def sentence(rule: Rule) -> str:
    """Return what a rule says, in a line."""
    what = f"{rule.old} ({rule.state} in {rule.version})"
    return f"{what} → {rule.new}" if rule.new else ": ".join(filter(None, [what, rule.note]))
