"""Classes by their names, and what a method lookup finds in them."""

from collections.abc import Iterator, Mapping, Set
from functools import cached_property
from typing import NamedTuple

from pharo_api.classes import ClassInfo, Side
from pharo_api.traits import trait_uses

ROOTS = frozenset({"Object", "ProtoObject"})
NO_CLASS = ClassInfo("")


class Chain(NamedTuple):
    """A class and its superclasses, as far as they are known."""

    classes: list[ClassInfo]
    is_complete: bool


class Understood(NamedTuple):
    """The selectors that a class understands, as far as they are known."""

    selectors: Set[str]
    is_complete: bool


class Variables(NamedTuple):
    """What the methods of a class see besides their own arguments and temporaries."""

    instance: Set[str]
    shared: Set[str]


class Hierarchy:
    """Classes and traits, which do not change while they are asked about."""

    def __init__(self, classes: Mapping[str, ClassInfo]) -> None:
        self.classes = classes
        self._understood: dict[tuple[str, Side], Understood] = {}
        self._below: dict[tuple[str, Side], Set[str]] = {}
        self._variables: dict[tuple[str, Side], Variables] = {}

    @cached_property
    def subclasses(self) -> dict[str, list[str]]:
        """The names of the direct subclasses, by the name of the superclass."""
        result: dict[str, list[str]] = {}
        for info in self.classes.values():
            result.setdefault(info.superclass, []).append(info.name)
        return result

    def is_trait(self, name: str) -> bool:
        """Whether a name is that of a trait."""
        return name in self.classes and self.classes[name].is_trait

    def chain(self, name: str) -> Chain:
        """A class and its superclasses; of a trait, only itself."""
        result: list[ClassInfo] = []
        while name and name != "nil":
            info = self.classes.get(name)
            if info is None or not info.is_known or info in result:
                return Chain(result, is_complete=False)
            result.append(info)
            if info.is_trait:
                break
            name = info.superclass
        return Chain(result, is_complete=True)

    def understood(self, name: str, side: Side) -> Understood:
        """The selectors of a class, inherited ones and those of traits included."""
        key = name, side
        if key not in self._understood:
            self._understood[key] = Understood(frozenset(), is_complete=False)  # ends circles
            self._understood[key] = self._understood_by(name, side)
        return self._understood[key]

    def _understood_by(self, name: str, side: Side) -> Understood:
        chain, is_complete = self.chain(name)
        is_trait = self.is_trait(name)
        selectors: set[str] = set().union(*(self.own_selectors(info, side) for info in chain))
        if side is Side.CLASS:
            selectors |= self.understood("Trait" if is_trait else "Class", Side.INSTANCE).selectors
            selectors |= self.own_selectors(self.classes.get("TraitedClass", NO_CLASS), Side.INSTANCE)
            return Understood(selectors, is_complete and self._knows_traits(chain))
        is_open = is_trait or any(handles_everything(info) for info in chain)
        return Understood(selectors, is_complete and not is_open and self._knows_traits(chain))

    def _knows_traits(self, chain: list[ClassInfo]) -> bool:
        return all(use.name in self.classes for info in chain for use in trait_uses(info.traits))

    def own_selectors(self, info: ClassInfo, side: Side) -> Set[str]:
        """The selectors of a class itself and of its traits."""
        result: Set[str] = info.selectors[side]
        if info.traits:
            result = result | self._trait_selectors(info.traits, side)
        if info.class_traits and side is Side.CLASS:
            result = result | self._trait_selectors(info.class_traits, side)
        return result

    def _trait_selectors(self, composition: str, side: Side, seen: tuple[str, ...] = ()) -> set[str]:
        result: set[str] = set()
        for use in trait_uses(composition):
            info = self.classes.get(use.name)
            if info is not None and use.name not in seen:
                used = self._trait_selectors(info.traits, side, (*seen, use.name))
                result |= ((info.selectors[side] | used) - use.removed) | use.aliases
        return result

    def below(self, name: str, side: Side) -> Set[str]:
        """The selectors that any subclass implements, at any depth."""
        key = name, side
        if key not in self._below:
            infos = (self.classes[each] for each in self._all_below(name))
            self._below[key] = set().union(*(self.own_selectors(info, side) for info in infos))
        return self._below[key]

    def _all_below(self, name: str) -> Iterator[str]:
        waiting, seen = list(self.subclasses.get(name, ())), set()
        while waiting:
            each = waiting.pop()
            if each not in seen:
                seen.add(each)
                yield each
                waiting += self.subclasses.get(each, ())

    def implementor(self, name: str, side: Side, selector: str) -> tuple[str, Side] | None:
        """The class, and its side, whose method a lookup finds."""
        for info in self.chain(name).classes:
            if selector in self.own_selectors(info, side):
                return info.name, side
        return self.implementor("Class", Side.INSTANCE, selector) if side is Side.CLASS else None

    def variables(self, name: str, side: Side) -> Variables:
        """The variables that the methods of a class see."""
        key = name, side
        if key not in self._variables:
            self._variables[key] = self._variables_of(name, side)
        return self._variables[key]

    def _variables_of(self, name: str, side: Side) -> Variables:
        instance: set[str] = set()
        shared: set[str] = set()
        for info in self.chain(name).classes:
            instance |= info.variables(side)
            shared |= info.class_variables
            if side is Side.INSTANCE:
                instance |= self._trait_variables(info.traits)
            pools = (each for pool in info.pools for each in self.chain(pool).classes)
            shared |= set().union(*(pool.class_variables for pool in pools))
        if side is Side.CLASS:
            instance |= self.variables("Class", Side.INSTANCE).instance
        return Variables(instance, shared)

    def _trait_variables(self, composition: str) -> set[str]:
        result: set[str] = set()
        for use in trait_uses(composition):
            info = self.classes.get(use.name)
            if info is not None:
                result |= info.instance_variables | self._trait_variables(info.traits)
        return result


def handles_everything(info: ClassInfo) -> bool:
    """Whether instances may understand anything, since their class answers ``doesNotUnderstand:`` itself."""
    return info.name not in ROOTS and "doesNotUnderstand:" in info.selectors[Side.INSTANCE]
