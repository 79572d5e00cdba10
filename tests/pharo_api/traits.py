"""Trait compositions: which traits a class uses, without which selectors, with which aliases."""

import re
from functools import cache
from typing import NamedTuple

PART = re.compile(r"\+(?![^{]*\})")
NAME = re.compile(r"[A-Z]\w*")
ALIAS = re.compile(r"#?([\w:]+)\s*->")
REMOVED = re.compile(r"-\s*(?:\{([^}]*)\}|#([\w:]+))")
SELECTOR = re.compile(r"[\w:]+")


class TraitUse(NamedTuple):
    """One trait of a composition."""

    name: str
    removed: frozenset[str]
    aliases: frozenset[str]


@cache
def trait_uses(composition: str) -> tuple[TraitUse, ...]:
    """The traits of a composition: ``TFirst - {#gone} + (TSecond @ {#alias->#original})``."""
    named = ((NAME.search(part), part) for part in PART.split(composition))
    return tuple(TraitUse(name[0], removed(part), aliases(part)) for name, part in named if name)


def removed(part: str) -> frozenset[str]:
    """The selectors that are left out."""
    match = REMOVED.search(part)
    return frozenset(SELECTOR.findall(match[1] or match[2] or "")) if match else frozenset()


def aliases(part: str) -> frozenset[str]:
    """The selectors under which methods are known as well."""
    return frozenset(ALIAS.findall(part))
