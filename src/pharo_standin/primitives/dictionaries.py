"""Hashed collections: finding the place of a key or element, and the usual accesses of dictionaries.

Strings, symbols, small integers and characters are compared here, and anything by identity; whatever else is
met compares itself, in the Smalltalk code of the method.
"""

from __future__ import annotations

from collections.abc import Callable

from pharo_standin.machine import Machine
from pharo_standin.objects import Character, Pointers, Value, identical
from pharo_standin.primitive import PrimitiveFailed, primitive
from pharo_standin.primitives.collections import comparable
from pharo_standin.primitives.numbers import hash_integer
from pharo_standin.primitives.objects import identity_hash
from pharo_standin.primitives.strings import string_hash

# the fields of a hashed collection and of an association
TALLY, ARRAY = 0, 1
KEY, VALUE = 0, 1


@primitive("dictionaryScan")
def scan(vm: Machine, receiver: Pointers, key: Value) -> int:
    """The place of a key's association, or of the gap for it."""
    associations = receiver.fields[ARRAY].fields
    sought, place = comparable(key), _hash(vm, key) % len(associations)
    for _ in associations:
        association = associations[place]
        if association is None or comparable(association.fields[KEY]) == sought:
            return place + 1
        place = (place + 1) % len(associations)
    raise PrimitiveFailed


@primitive("dictionaryIdentityScan")
def identity_scan(vm: Machine, receiver: Pointers, key: Value) -> int:
    """The same by identity."""
    associations = receiver.fields[ARRAY].fields
    place: int = identity_hash(vm, key) % len(associations)
    for _ in associations:
        association = associations[place]
        if association is None or identical(association.fields[KEY], key):
            return place + 1
        place = (place + 1) % len(associations)
    raise PrimitiveFailed


@primitive("setScan")
def scan_set(vm: Machine, receiver: Pointers, element: Value) -> int:
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


SCANS: dict[str, Callable[[Machine, Pointers, Value], int]] = {
    "Dictionary": scan,
    "IdentityDictionary": identity_scan,
}
"""How the classes find keys whose accesses are primitives; others may do it in their own way."""


def _place(vm: Machine, dictionary: Pointers, key: Value) -> int:
    name = dictionary.cls.name
    if name not in SCANS:
        raise PrimitiveFailed
    return SCANS[name](vm, dictionary, key) - 1


@primitive("dictionaryAt")
def at(vm: Machine, receiver: Pointers, key: Value, _absent: Value = None) -> Value:
    """The value under a key; fails if there is none."""
    association = receiver.fields[ARRAY].fields[_place(vm, receiver, key)]
    if association is None or association.cls.name != "Association":
        raise PrimitiveFailed
    return association.fields[VALUE]


@primitive("dictionaryIncludesKey")
def includes_key(vm: Machine, receiver: Pointers, key: Value) -> bool:
    """Whether there is a value under the key."""
    return receiver.fields[ARRAY].fields[_place(vm, receiver, key)] is not None


@primitive("dictionaryAtPut")
def at_put(vm: Machine, receiver: Pointers, key: Value, value: Value) -> Value:
    """Store a value under a key; fails where the dictionary has to grow for it."""
    associations, place = receiver.fields[ARRAY].fields, _place(vm, receiver, key)
    association = associations[place]
    if association is None:
        tally = receiver.fields[TALLY] + 1
        if len(associations) - tally < max(len(associations) // 4, 1):
            raise PrimitiveFailed
        associations[place] = Pointers(vm.classes["Association"], [key, value])
        receiver.fields[TALLY] = tally
    elif association.cls.name == "Association":
        association.fields[VALUE] = value
    else:
        raise PrimitiveFailed
    return value
