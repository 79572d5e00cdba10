"""Hashed collections: finding the place of a key or element, and the usual accesses of dictionaries.

Strings, symbols, small integers and characters are compared here, and anything by identity; whatever else is
met compares itself, in the Smalltalk code of the method.
"""

from __future__ import annotations

from collections.abc import Callable

from pharo_standin.machine import Machine
from pharo_standin.objects import LARGEST, SMALLEST, Character, Pointers, Value, class_of, identical
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
    place = _identity_hash(vm, key) % len(associations)
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


@primitive("setIdentityScan")
def scan_identity_set(vm: Machine, receiver: Pointers, element: Value) -> int:
    """The same by identity."""
    elements = receiver.fields[ARRAY].fields
    place = _element_hash(vm, element) % len(elements)
    for _ in elements:
        if elements[place] is None or identical(elements[place], element):
            return place + 1
        place = (place + 1) % len(elements)
    raise PrimitiveFailed


def _element_hash(vm: Machine, element: Value) -> int:
    """The hash by identity; nil is an element only in a wrapper, which fails."""
    if element is None or class_of(element).name == "CollectionElement":
        raise PrimitiveFailed
    return _identity_hash(vm, element)


@primitive("hashedAtNewIndexPut")
def at_new_index_put(_vm: Machine, receiver: Pointers, index: int, value: Value) -> Pointers:
    """Fill a gap; fails where the collection has to grow for it."""
    elements, tally = receiver.fields[ARRAY].fields, receiver.fields[TALLY] + 1
    if not 1 <= index <= len(elements) or not _has_room(elements, tally):
        raise PrimitiveFailed
    elements[index - 1] = value
    receiver.fields[TALLY] = tally
    return receiver


def _has_room(elements: list[Value], tally: int) -> bool:
    return len(elements) - tally >= max(len(elements) // 4, 1)


@primitive("hashedFill")
def fill(vm: Machine, receiver: Pointers, old: Pointers) -> Pointers:
    """Put the elements of an array that has become too small where they belong in the new one."""
    if receiver.cls.name not in HASHES:
        raise PrimitiveFailed
    find_hash = HASHES[receiver.cls.name]
    kept = [(find_hash(vm, each), each) for each in old.fields if each is not None]
    elements = receiver.fields[ARRAY].fields
    if elements.count(None) < len(kept):
        raise PrimitiveFailed
    for number, each in kept:
        place = number % len(elements)
        while elements[place] is not None:
            place = (place + 1) % len(elements)
        elements[place] = each
    return receiver


def _hash(vm: Machine, value: Value) -> int:
    """What Smalltalk's ``hash`` answers for the same value."""
    if type(value) is int:
        return hash_integer(value)
    return value.code if type(value) is Character else string_hash(vm, value)


def _identity_hash(vm: Machine, value: Value) -> int:
    """What ``identityHash`` answers; small integers have a method of their own."""
    if type(value) is int and SMALLEST <= value <= LARGEST:
        return hash_integer(value)
    found: int = identity_hash(vm, value)
    return found


HASHES: dict[str, Callable[[Machine, Value], int]] = {
    "Set": _hash,
    "IdentitySet": _element_hash,
    "Dictionary": lambda vm, association: _hash(vm, association.fields[KEY]),
    "IdentityDictionary": lambda vm, association: _identity_hash(vm, association.fields[KEY]),
}
"""By what a class finds the place of an element."""

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
        if not _has_room(associations, tally):
            raise PrimitiveFailed
        associations[place] = Pointers(vm.classes["Association"], [key, value])
        receiver.fields[TALLY] = tally
    elif association.cls.name == "Association":
        association.fields[VALUE] = value
    else:
        raise PrimitiveFailed
    return value
