"""Finding the place of a key or element in a hashed collection.

Strings, symbols, small integers and characters are compared here; whatever else is met compares itself, in
the Smalltalk code of the method.
"""

from __future__ import annotations

from pharo_standin.machine import Machine
from pharo_standin.objects import Character, Pointers, Value
from pharo_standin.primitive import PrimitiveFailed, primitive
from pharo_standin.primitives.collections import comparable
from pharo_standin.primitives.numbers import hash_integer
from pharo_standin.primitives.strings import string_hash

ARRAY = 1
"""The field of a hashed collection that holds its elements or associations."""


@primitive("dictionaryScan")
def scan(vm: Machine, receiver: Pointers, key: Value) -> Value:
    """The place of a key's association, or of the gap for it."""
    associations = receiver.fields[ARRAY].fields
    sought, place = comparable(key), _hash(vm, key) % len(associations)
    for _ in associations:
        association = associations[place]
        if association is None or comparable(association.fields[0]) == sought:
            return place + 1
        place = (place + 1) % len(associations)
    raise PrimitiveFailed


@primitive("setScan")
def scan_set(vm: Machine, receiver: Pointers, element: Value) -> Value:
    """The place of an element, or of the gap for it."""
    elements = receiver.fields[ARRAY].fields
    sought, place = comparable(element), _hash(vm, element) % len(elements)
    for _ in elements:
        if elements[place] is None or comparable(elements[place]) == sought:
            return place + 1
        place = (place + 1) % len(elements)
    raise PrimitiveFailed


def _hash(vm: Machine, value: Value) -> int:
    """What Smalltalk's ``hash`` answers for the same value."""
    if type(value) is int:
        return hash_integer(value)
    return value.code if type(value) is Character else string_hash(vm, value)
