"""The objects of the image, and what Python code needs to find and make them, and to make them read-only."""

from __future__ import annotations

import operator
import sys
from abc import ABC, abstractmethod
from array import array
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import chain
from typing import Any, NoReturn

from pharo_practice.model.objects import (
    Behavior,
    Bytes,
    CompiledMethod,
    Pointers,
    Value,
    Words,
    character,
    class_of,
)
from pharo_practice.reading.nodes import CharacterCode, LiteralValue, Scaled, Symbol

ARITHMETIC: dict[str, Callable[[int, int], Value]] = {
    "+": operator.add,
    "-": operator.sub,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "=": operator.eq,
    "~=": operator.ne,
    "bitAnd:": operator.and_,
    "bitOr:": operator.or_,
}
"""What code computes without a send, as Pharo's virtual machine does: right for any two integers."""


class FixedWords(array):  # type: ignore[type-arg]
    """Words that cannot be changed."""

    def __setitem__(self, _index: object, _value: object) -> NoReturn:
        raise TypeError("read-only")


def is_read_only(value: Value) -> bool:
    """Whether the object is read-only; numbers, characters and the like always are."""
    if isinstance(value, Pointers):
        return isinstance(value.fields, tuple)
    if isinstance(value, Bytes):
        return isinstance(value.data, bytes)
    return not isinstance(value, Words) or isinstance(value.data, FixedWords)


def set_read_only(value: Value, is_fixed: bool) -> None:
    """Make an object read-only or writable.

    Raises:
        TypeError: If it is a class.
    """
    content: Any
    match value:
        case Behavior():
            raise TypeError("a class stays writable")
        case Pointers(fields=content):
            value.fields = tuple(content) if is_fixed else list(content)  # type: ignore[assignment]
        case Bytes(data=content):
            value.data = bytes(content) if is_fixed else bytearray(content)  # type: ignore[assignment]
        case Words(data=content):
            value.data = FixedWords("I", content) if is_fixed else array("I", content)


def fixed_literal(value: Value) -> Value:
    """A literal as compiled code holds it: read-only, with everything in it."""
    if type(value) is Pointers:
        for each in value.fields:
            fixed_literal(each)
    set_read_only(value, True)
    return value


UTF_32 = f"utf-32-{'le' if sys.byteorder == 'little' else 'be'}"
"""How the code points of a wide string are stored."""


def text_of(value: Value) -> str:
    """The characters of a string, symbol or byte array.

    Raises:
        TypeError: If it is something else.
        UnicodeDecodeError: If it has characters beyond Unicode, which Python's strings cannot contain.
    """
    if isinstance(value, Bytes):
        return value.data.decode("latin-1")
    if isinstance(value, Words):
        return value.data.tobytes().decode(UTF_32, "surrogatepass")
    raise TypeError(f"a string was expected, not {class_of(value).name}")


class ObjectMemory(ABC):
    """Classes, globals and symbols, and the lookup of methods."""

    def __init__(self) -> None:
        self.globals: dict[str, Pointers] = {}
        """Name to binding; the second field of a binding is the value."""
        self.undeclared: dict[str, Pointers] = {}
        """Bindings of classes that were removed: code compiled before still has them."""
        self.classes: dict[str, Behavior] = {}
        """Every class and trait by name."""
        self.anonymous: list[Behavior] = []
        """Classes that only their makers have references to."""
        self.packages: dict[str, dict[str, Value]] = {}
        """The properties of each package as the Tonel reader found them, by name."""
        self.symbols: dict[str, Bytes | Words] = {}
        self.hashes = 0
        """The identity hash given last."""
        self.is_booted = False

    # conversions

    def string(self, text: str) -> Bytes | Words:
        """A new String."""
        try:
            return Bytes(self.classes["ByteString"], bytearray(text, "latin-1"))
        except UnicodeEncodeError:
            return Words(self.classes["WideString"], array("I", map(ord, text)))

    def symbol(self, text: str) -> Bytes | Words:
        """The one Symbol with these characters."""
        found = self.symbols.get(text)
        if found is None:
            found = self.symbols[text] = self.string(text)
            found.cls = self.classes["ByteSymbol" if type(found) is Bytes else "WideSymbol"]
        return found

    def valid_text(self, value: Value) -> str:
        """The text of a string, with U+FFFD for characters beyond Unicode and halves of surrogate pairs."""
        if isinstance(value, Words):
            return value.data.tobytes().decode(UTF_32, "replace")
        return text_of(value)

    def selector(self, value: Value) -> str | None:
        """The characters of a symbol; None for anything else, since only symbols are selectors."""
        if type(value) is Bytes or type(value) is Words:
            try:
                text = text_of(value)
            except UnicodeDecodeError:  # no symbol has such characters
                return None
            if self.symbols.get(text) is value:
                return text
        return None

    def array(self, values: list[Value]) -> Pointers:
        """A new Array; ``values`` becomes its content."""
        return Pointers(self.classes["Array"], values)

    def literal(self, value: LiteralValue) -> Value:
        """The object that a literal stands for."""
        match value:
            case CharacterCode():
                return character(int(value))
            case Symbol():
                return self.symbol(value)
            case str():
                return self.string(value)
            case bytes():
                return Bytes(self.classes["ByteArray"], bytearray(value))
            case tuple():
                return self.array([self.literal(each) for each in value])
            case Fraction():
                return Pointers(self.classes["Fraction"], [value.numerator, value.denominator])
            case Scaled(value=exact, scale=scale):
                return Pointers(self.classes["ScaledDecimal"], [exact.numerator, exact.denominator, scale])
        return value

    def identity_hash(self, value: Value) -> int:
        """A number that identifies the object; equal runs give equal numbers."""
        try:
            found: int = value.identity
        except AttributeError:
            self.hashes = (self.hashes + 40_503) & 0x3FFFFF
            found = value.identity = self.hashes or 1
        return found

    # lookup

    def lookup(self, cls: Behavior, selector: str) -> CompiledMethod | None:
        """The compiled method that instances of the class run for a selector; None if there is none."""
        found = cls.cache.get(selector)
        if found is not None:
            return found
        behavior: Behavior | None = cls
        while behavior is not None:
            found = behavior.methods.get(selector)
            if found is not None:
                self.compile(found)
                cls.cache[selector] = found
                return found
            behavior = behavior.superclass
        return None

    @abstractmethod
    def compile(self, method: CompiledMethod) -> None:
        """Compile a method if it was only read so far; a faulty one signals its error when it runs."""

    def is_implemented(self, selector: str) -> bool:
        """Whether any class of this image has a method of this name."""
        return any(selector in side.methods for side in self.sides())

    def sides(self) -> list[Behavior]:
        """Return every class and trait, each with its class side."""
        return [side for cls in self.classes.values() for side in (cls, cls.cls)]

    def all_methods(self) -> Iterator[CompiledMethod]:
        """Iterate over the methods of all classes and traits, both sides."""
        return chain.from_iterable([side.methods.values() for side in self.sides()])

    def flush_caches(self, *behaviors: Behavior) -> None:
        """Empty the lookup caches of these classes and their subclasses, or of all classes."""
        if not self.is_booted:
            return
        above_metaclasses = {*self.classes["Class"].lineage(), *self.classes["Trait"].lineage()}
        if not behaviors or not above_metaclasses.isdisjoint(behaviors):
            behaviors = (*self.sides(), *self.anonymous, *(each.cls for each in self.anonymous))
        else:
            behaviors += tuple(below for each in behaviors for below in each.all_subclasses())
        for each in behaviors:
            each.cache.clear()
