"""Read-only objects: literals, and objects that were made read-only.

Such an object keeps its content in a Python sequence that refuses to be changed. Writing costs no check: the
primitive or operation that tries fails with a TypeError.
"""

from __future__ import annotations

from array import array
from typing import Any, NoReturn

from pharo_practice.model.behavior import Behavior, Pointers, Value
from pharo_practice.model.objects import Bytes, Words


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
