"""Dictionaries: finding the place of a key, and the usual accesses; compared as in ``hashed``."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from pharo_standin.machine import Machine
from pharo_standin.objects import Pointers, Value, identical
from pharo_standin.primitive import FAILURES, PrimitiveFailed, primitive
from pharo_standin.primitives.collections import comparable
from pharo_standin.primitives.hashed import ARRAY, KEY, VALUE, hash_of, identity_hash_of, store
from pharo_standin.primitives.sequences import LAST_INDEX, few, ordered_collection_add

# the fields of an OrderedDictionary
DICTIONARY, ORDERED_KEYS = 0, 1


@primitive("dictionaryScan")
def scan(vm: Machine, receiver: Pointers, key: Value) -> int:
    """The place of a key's association, or of the gap for it."""
    associations = receiver.fields[ARRAY].fields
    sought, place = comparable(key), hash_of(vm, key) % len(associations)
    for _ in associations:
        association = associations[place]
        if association is None:
            return place + 1
        found = association.fields[KEY]
        if found is key or comparable(found) == sought:
            return place + 1
        place = (place + 1) % len(associations)
    raise PrimitiveFailed


@primitive("dictionaryIdentityScan")
def identity_scan(vm: Machine, receiver: Pointers, key: Value) -> int:
    """The same by identity."""
    associations = receiver.fields[ARRAY].fields
    place = identity_hash_of(vm, key) % len(associations)
    for _ in associations:
        association = associations[place]
        if association is None or identical(association.fields[KEY], key):
            return place + 1
        place = (place + 1) % len(associations)
    raise PrimitiveFailed


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
    """Store a value under a key."""
    associations, place = receiver.fields[ARRAY].fields, _place(vm, receiver, key)
    association = associations[place]
    if association is None:
        store(vm, receiver, place, Pointers(vm.classes["Association"], [key, value]))
    elif association.cls.name == "Association":
        association.fields[VALUE] = value
    else:
        raise PrimitiveFailed
    return value


@primitive("dictionaryPutPairs")
def put_pairs(vm: Machine, receiver: Pointers, pairs: Pointers) -> Pointers:
    """Store each second element of an array under the one before; after a failure all can be stored anew."""
    for key, value in _pairs(pairs):
        at_put(vm, receiver, key, value)
    return receiver


def _pairs(array: Pointers) -> Iterator[tuple[Value, Value]]:
    if array.cls.name != "Array":
        raise PrimitiveFailed
    few(array.fields)
    return zip(array.fields[::2], array.fields[1::2], strict=False)


@primitive("orderedDictionaryAt")
def ordered_at(vm: Machine, receiver: Pointers, key: Value) -> Value:
    """The value under a key; fails if there is none."""
    return at(vm, receiver.fields[DICTIONARY], key)


@primitive("orderedDictionaryAtPut")
def ordered_at_put(vm: Machine, receiver: Pointers, key: Value, value: Value) -> Value:
    """Store a value under a key, and remember a new key as the last."""
    dictionary, keys = receiver.fields
    if includes_key(vm, dictionary, key):
        return at_put(vm, dictionary, key, value)
    ordered_collection_add(vm, keys, key)
    try:
        return at_put(vm, dictionary, key, value)
    except FAILURES:
        keys.fields[LAST_INDEX] -= 1
        raise


@primitive("orderedDictionaryPutPairs")
def ordered_put_pairs(vm: Machine, receiver: Pointers, pairs: Pointers) -> Pointers:
    """The same for an ordered dictionary."""
    if receiver.cls.name != "OrderedDictionary":
        raise PrimitiveFailed
    for key, value in _pairs(pairs):
        ordered_at_put(vm, receiver, key, value)
    return receiver
