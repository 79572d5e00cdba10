"""Dictionaries: finding the index of a key, and accessing; keys are compared as in ``hashed``."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import Behavior, Bytes, ConstantClosure, Pointers, Value, identical
from pharo_practice.primitives.arguments import BYTE_STRINGS
from pharo_practice.primitives.collections import comparable
from pharo_practice.primitives.hashed import hash_of, identity_hash_of, move_followers, new_sized, store
from pharo_practice.primitives.sequences import (
    LAST_INDEX,
    few,
    ordered_collection_add_last,
    ordered_collection_new,
)
from pharo_practice.primitives.shapes import (
    ARRAY,
    DICTIONARY,
    KEY,
    ORDERED_KEYS,
    TALLY,
    VALUE,
    Dictionary,
    OrderedDictionary,
)
from pharo_practice.primitives.strings import STRING_HASH

LIMIT = 2
"""The field of a ZnMultiValueDictionary with the largest number of keys."""


@primitive("dictionaryScan")
def scan(vm: Machine, receiver: Dictionary, key: Value) -> int:
    """The index of a key's association, or of the gap for it."""
    return find_place(vm, receiver, key, skips_class=True) + 1


def find_place(vm: Machine, dictionary: Pointers, key: Value, *, skips_class: bool = False) -> int:
    """Where the association of a key is, or would be; fails if the class may find keys in its own way."""
    if dictionary.cls.name != "Dictionary" and not skips_class:
        return _find_identical(vm, dictionary, key)
    associations = dictionary.fields[ARRAY].fields
    sought: Value
    if type(key) is Bytes and key.cls.name in BYTE_STRINGS and (sought := key.data).isascii():
        place = (crc32(sought) & STRING_HASH) % len(associations)
    else:
        sought, place = comparable(key), hash_of(vm, key) % len(associations)
    for _ in associations:
        association = associations[place]
        if association is None:
            return place
        found = association.fields[KEY]
        if found is key or comparable(found) == sought:
            return place
        place = (place + 1) % len(associations)
    raise PrimitiveFailed


def _find_identical(vm: Machine, dictionary: Pointers, key: Value) -> int:
    """The same in an identity dictionary."""
    if dictionary.cls.name != "IdentityDictionary":
        raise PrimitiveFailed
    place: int = identity_scan(vm, dictionary, key) - 1
    return place


@primitive("dictionaryIdentityScan")
def identity_scan(vm: Machine, receiver: Dictionary, key: Value) -> int:
    """The same by identity."""
    associations = receiver.fields[ARRAY].fields
    place = identity_hash_of(vm, key) % len(associations)
    for _ in associations:
        association = associations[place]
        if association is None or identical(association.fields[KEY], key):
            return place + 1
        place = (place + 1) % len(associations)
    raise PrimitiveFailed


PLAIN_DICTIONARIES = frozenset({"Dictionary", "IdentityDictionary"})
"""Classes whose accesses are primitives; others may find their keys in their own way."""


@primitive("dictionaryAt")
def at(vm: Machine, receiver: Dictionary, key: Value, absent: Value = None) -> Value:
    """The value under a key; if there is none, fails unless the block for that is a constant one."""
    association = receiver.fields[ARRAY].fields[find_place(vm, receiver, key)]
    if association is None:
        if type(absent) is not ConstantClosure:
            raise PrimitiveFailed
        return absent.value
    if association.cls.name != "Association":
        raise PrimitiveFailed
    return association.fields[VALUE]


@primitive("dictionaryAssociationAt")
def association_at(vm: Machine, receiver: Dictionary, key: Value) -> Value:
    """The association of a key; fails if there is none."""
    association = receiver.fields[ARRAY].fields[find_place(vm, receiver, key)]
    if association is None:
        raise PrimitiveFailed
    return association


@primitive("dictionaryIncludesKey")
def includes_key(vm: Machine, receiver: Dictionary, key: Value) -> bool:
    """Whether there is a value under the key."""
    return receiver.fields[ARRAY].fields[find_place(vm, receiver, key)] is not None


@primitive("dictionaryAtPut")
def at_put(vm: Machine, receiver: Dictionary, key: Value, value: Value) -> Value:
    """Store a value under a key."""
    place = find_place(vm, receiver, key)
    association = receiver.fields[ARRAY].fields[place]
    if association is None:
        store(vm, receiver, place, Pointers(vm.classes["Association"], [key, value]))
    elif association.cls.name == "Association":
        association.fields[VALUE] = value
    else:
        raise PrimitiveFailed
    return value


@primitive("dictionaryFixCollisions")
def fix_collisions(vm: Machine, receiver: Dictionary, start: int) -> Pointers:
    """After a removal, move associations that had collided with the removed one nearer to their own index."""
    associations = receiver.fields[ARRAY].fields

    def place_at(index: int) -> int:
        return find_place(vm, receiver, associations[index].fields[KEY])

    move_followers(associations, start, place_at)
    return receiver


@primitive("dictionaryPostCopy")
def post_copy(vm: Machine, receiver: Dictionary) -> Pointers:
    """Give a copy its own associations; fails where one is of a class that may copy itself in another way."""
    array, plain = receiver.fields[ARRAY], vm.classes["Association"]
    for selector in ("copy", "shallowCopy", "postCopy"):
        method = vm.lookup(plain, selector)
        if method is None or method.method_class is not vm.classes["Object"]:
            raise PrimitiveFailed
    if any(each is not None and each.cls is not plain for each in few(array.fields)):
        raise PrimitiveFailed
    copies = [None if each is None else Pointers(plain, list(each.fields)) for each in array.fields]
    receiver.fields[ARRAY] = Pointers(array.cls, copies)
    return receiver


@primitive("dictionaryPutPairs")
def put_pairs(vm: Machine, receiver: Dictionary, pairs: Pointers) -> Pointers:
    """Store each second element of an array under the one before; after a failure all can be stored again."""
    for key, value in _pairs(pairs):
        at_put(vm, receiver, key, value)
    return receiver


def _pairs(array: Pointers) -> Iterator[tuple[Value, Value]]:
    if array.cls.name != "Array":
        raise PrimitiveFailed
    few(array.fields)
    return zip(array.fields[::2], array.fields[1::2], strict=False)


@primitive("orderedDictionaryAt")
def ordered_at(vm: Machine, receiver: OrderedDictionary, key: Value, absent: Value = None) -> Value:
    """The value under a key; if there is none, fails unless the block for that is a constant one."""
    return at(vm, receiver.fields[DICTIONARY], key, absent)


@primitive("orderedDictionaryAssociationAt")
def ordered_association_at(vm: Machine, receiver: OrderedDictionary, key: Value) -> Value:
    """The association of a key; fails if there is none."""
    return association_at(vm, receiver.fields[DICTIONARY], key)


@primitive("orderedDictionaryIncludesKey")
def ordered_includes_key(vm: Machine, receiver: OrderedDictionary, key: Value) -> Value:
    """Whether there is a value under the key."""
    return includes_key(vm, receiver.fields[DICTIONARY], key)


@primitive("orderedDictionaryNew")
def ordered_new(vm: Machine, receiver: Behavior, count: Value = 10) -> Pointers:
    """Create an empty ordered dictionary with room for a number of keys."""
    if receiver.name != "OrderedDictionary" or receiver.instance_size != ORDERED_KEYS + 1:
        raise PrimitiveFailed
    dictionary = new_sized(vm, vm.classes["Dictionary"], count)
    keys = ordered_collection_new(vm, vm.classes["OrderedCollection"], count)
    return Pointers(receiver, [dictionary, keys])


@primitive("orderedDictionaryAtPut")
def ordered_at_put(vm: Machine, receiver: OrderedDictionary, key: Value, value: Value) -> Value:
    """Store a value under a key, and remember a new key as the last."""
    dictionary, keys = receiver.fields[: ORDERED_KEYS + 1]
    place = find_place(vm, dictionary, key)
    association = dictionary.fields[ARRAY].fields[place]
    if association is not None:
        if association.cls.name != "Association":
            raise PrimitiveFailed
        association.fields[VALUE] = value
        return value
    if keys.cls.name != "OrderedCollection":
        raise PrimitiveFailed
    ordered_collection_add_last(vm, keys, key)
    try:
        store(vm, dictionary, place, Pointers(vm.classes["Association"], [key, value]))
    except Exception:
        keys.fields[LAST_INDEX] -= 1
        raise
    return value


@primitive("multiValueAtPut")
def multi_value_at_put(vm: Machine, receiver: OrderedDictionary, key: Value, value: Value) -> Value:
    """The same as long as there are less keys than the limit, once that is known."""
    limit = receiver.fields[LIMIT]
    if receiver.cls.name != "ZnMultiValueDictionary" or type(limit) is not int:
        raise PrimitiveFailed
    if receiver.fields[DICTIONARY].fields[TALLY] >= limit:
        raise PrimitiveFailed
    return ordered_at_put(vm, receiver, key, value)


@primitive("multiValueAtAdd")
def multi_value_at_add(vm: Machine, receiver: OrderedDictionary, key: Value, value: Value) -> Value:
    """The same for a new key only, whose first value it is."""
    if includes_key(vm, receiver.fields[DICTIONARY], key):
        raise PrimitiveFailed
    return multi_value_at_put(vm, receiver, key, value)


@primitive("orderedDictionaryPutPairs")
def ordered_put_pairs(vm: Machine, receiver: OrderedDictionary, pairs: Pointers) -> Pointers:
    """The same for an ordered dictionary."""
    if receiver.cls.name != "OrderedDictionary":
        raise PrimitiveFailed
    for key, value in _pairs(pairs):
        ordered_at_put(vm, receiver, key, value)
    return receiver
