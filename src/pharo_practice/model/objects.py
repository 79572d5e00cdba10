"""Smalltalk values in Python. They have no behaviour here.

Integers, floats, ``nil``, ``true`` and ``false`` are Python's own ``int``, ``float``, ``None``, ``True``
and ``False``. Everything else is an instance of a class here and knows its Smalltalk class as ``cls``;
characters, closures, contexts and compiled methods share theirs through a class attribute, which the
loader sets. One Python process therefore runs one machine at a time.
"""

from __future__ import annotations

from array import array
from typing import ClassVar

from pharo_practice.model.behavior import Behavior, Value

SMALLEST = -(1 << 60)
LARGEST = (1 << 60) - 1


class Bytes:
    """A string, symbol or byte array; strings in Latin-1."""

    __slots__ = ("cls", "data", "identity")

    def __init__(self, cls: Behavior, data: bytearray) -> None:
        self.cls = cls
        self.data = data


class Words:
    """A string or symbol with characters beyond Latin-1: one code point in each 32-bit word."""

    __slots__ = ("cls", "data", "identity")

    def __init__(self, cls: Behavior, data: array[int]) -> None:
        self.cls = cls
        self.data = data


class Character:
    """One character; get it through ``character``, which answers the same object for the same code."""

    __slots__ = ("code",)
    cls: ClassVar[Behavior]

    def __init__(self, code: int) -> None:
        self.code = code


_characters: dict[int, Character] = {}


def character(code: int) -> Character:
    """The one character with this code point."""
    found = _characters.get(code)
    if found is None:
        found = _characters[code] = Character(code)
    return found


class NativeClasses:
    """The Smalltalk classes of Python's own values; the loader fills them in."""

    small_integer: Behavior
    large_positive: Behavior
    large_negative: Behavior
    float: Behavior
    true: Behavior
    false: Behavior
    undefined: Behavior


NATIVE_TYPES = frozenset({int, float, bool, type(None)})
natives = NativeClasses()


def native_class(value: float | bool | None) -> Behavior:
    """The class of an integer, float, boolean or nil."""
    if type(value) is int:
        if SMALLEST <= value <= LARGEST:
            return natives.small_integer
        return natives.large_positive if value > 0 else natives.large_negative
    if value is None:
        return natives.undefined
    if value is True:
        return natives.true
    return natives.false if value is False else natives.float


def class_of(value: Value) -> Behavior:
    """The Smalltalk class of any value."""
    found: Behavior = value.cls if type(value) not in NATIVE_TYPES else native_class(value)
    return found


def identical(one: Value, other: Value) -> bool:
    """Smalltalk's ``==``: small integers and floats are the same when equal, as immediates are."""
    if one is other:
        return True
    kind = type(one)
    if kind is not type(other):
        return False
    if kind is int:
        return bool(one == other) and SMALLEST <= one <= LARGEST
    return kind is float and one == other and str(one) == str(other)
