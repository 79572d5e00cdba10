"""Checks and conversions of receivers and arguments; a wrong one makes the primitive fail."""

from __future__ import annotations

from array import array

from pharo_practice.machine.primitive import PrimitiveFailed
from pharo_practice.model.objects import Bytes, Value, Words

BYTE_STRINGS = frozenset({"ByteString", "ByteSymbol"})
"""Classes of the strings that hold a byte for each character."""

STRINGS = BYTE_STRINGS | {"WideString", "WideSymbol"}


def number(value: Value) -> int | float:
    """The value, if it is an integer or a float.

    Raises:
        PrimitiveFailed: If it is neither.
    """
    if type(value) is int or type(value) is float:
        return value
    raise PrimitiveFailed


def integer(value: Value) -> int:
    """The value, if it is an integer.

    Raises:
        PrimitiveFailed: If it is not.
    """
    if type(value) is int:
        return value
    raise PrimitiveFailed


def codes_of(value: Value) -> bytearray | array[int]:
    """The codes of a string, symbol or byte array, as they are stored.

    Raises:
        PrimitiveFailed: If it is something else.
    """
    if type(value) is Bytes or type(value) is Words:
        return value.data
    raise PrimitiveFailed
