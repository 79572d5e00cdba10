"""What is known of a class or trait, and its row in a data file."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class Side(StrEnum):
    """Of a class: where its instances' methods are, or its own."""

    INSTANCE = "instance"
    CLASS = "class"

    def of(self, name: str) -> str:
        """How this side of a class is written."""
        return f"{name} class" if self is Side.CLASS else name


def sets_by_side() -> dict[Side, set[str]]:
    """An empty set for each side."""
    return {side: set() for side in Side}


@dataclass(slots=True)
class ClassInfo:
    """The names that belong to one class or trait: of a project, or of a version of Pharo."""

    name: str
    superclass: str = ""
    kind: str = "unknown"
    """``class``, ``trait``, or ``unknown`` where only extensions of it were seen."""
    package: str = ""
    origin: str = ""
    traits: str = ""
    class_traits: str = ""
    selectors: dict[Side, set[str]] = field(default_factory=sets_by_side)
    deprecated: dict[Side, set[str]] = field(default_factory=sets_by_side)
    instance_variables: set[str] = field(default_factory=set)
    class_variables: set[str] = field(default_factory=set)
    class_instance_variables: set[str] = field(default_factory=set)
    pools: set[str] = field(default_factory=set)

    @property
    def is_known(self) -> bool:
        """Whether its definition was seen, not only extensions of it."""
        return self.kind != "unknown"

    @property
    def is_trait(self) -> bool:
        """Whether it is a trait."""
        return self.kind == "trait"

    def add(self, other: ClassInfo) -> None:
        """Add the selectors of another: of extensions, or of the class that this one stands for."""
        for side in Side:
            self.selectors[side] |= other.selectors[side]

    def copy(self) -> ClassInfo:
        """One that can be changed without changing this one."""
        return from_row(to_row(self))

    def variables(self, side: Side) -> set[str]:
        """The variables that only methods on this side see."""
        return self.instance_variables if side is Side.INSTANCE else self.class_instance_variables


COLUMNS = (
    "name superclass kind package origin traits class_traits"
    " i c deprecated_i deprecated_c inst_vars class_vars class_inst_vars pools"
)
"""Of a data file; i is the instance side, c the class side. Names in one cell are separated by blanks."""


def to_row(info: ClassInfo) -> str:
    """The line of a class in a data file."""
    texts = (
        info.name,
        info.superclass,
        info.kind,
        info.package,
        info.origin,
        info.traits,
        info.class_traits,
    )
    sets = (
        *(info.selectors[side] for side in Side),
        *(info.deprecated[side] for side in Side),
        info.instance_variables,
        info.class_variables,
        info.class_instance_variables,
        info.pools,
    )
    return "\t".join([*texts, *(" ".join(sorted(names)) for names in sets)])


def from_row(row: str) -> ClassInfo:
    """The class of a line in a data file."""
    name, superclass, kind, package, origin, traits, class_traits, *cells = row.split("\t")
    here, there, old_here, old_there, *variables = (set(cell.split()) for cell in cells)
    selectors = {Side.INSTANCE: here, Side.CLASS: there}
    deprecated = {Side.INSTANCE: old_here, Side.CLASS: old_there}
    return ClassInfo(
        name, superclass, kind, package, origin, traits, class_traits, selectors, deprecated, *variables
    )
