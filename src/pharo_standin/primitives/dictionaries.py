"""Finding the place of a string in a dictionary: what names, headers and settings are looked up by."""

from __future__ import annotations

from pharo_standin.machine import Machine
from pharo_standin.objects import Bytes, Pointers, Value
from pharo_standin.primitive import PrimitiveFailed, primitive
from pharo_standin.primitives.strings import string_hash

STRINGS = frozenset({"ByteString", "ByteSymbol"})
"""Classes whose instances are equal when their characters are."""
ARRAY = 1
"""The field of a Dictionary that holds its associations."""


@primitive("dictionaryScan")
def scan(vm: Machine, receiver: Pointers, key: Value) -> Value:
    """The place of a string's association, or of the gap for it; other keys compare themselves."""
    if not _is_string(key):
        raise PrimitiveFailed
    associations = receiver.fields[ARRAY].fields
    size = len(associations)
    place = string_hash(vm, key) % size
    for _ in range(size):
        association = associations[place]
        if association is None:
            return place + 1
        known = association.fields[0]
        if known is key:
            return place + 1
        if not _is_string(known):
            raise PrimitiveFailed
        if known.data == key.data:
            return place + 1
        place = (place + 1) % size
    raise PrimitiveFailed


def _is_string(value: Value) -> bool:
    return isinstance(value, Bytes) and value.cls.name in STRINGS
