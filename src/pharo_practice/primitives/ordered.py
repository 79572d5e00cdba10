"""Ordered collections, and ordered dictionaries: creating, and adding at the end.

An OrderedCollection holds an array and the indexes of its first and last element in it; an OrderedDictionary
holds a Dictionary, and an OrderedCollection of the keys.
"""

from __future__ import annotations

from pharo_practice.machine.limits import POINTER
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import Pointers, Value
from pharo_practice.primitives.hashed import ARRAY as ASSOCIATIONS
from pharo_practice.primitives.hashed import VALUE, index_of, store
from pharo_practice.primitives.objects import MOST_ELEMENTS

ARRAY, FIRST_INDEX, LAST_INDEX = range(3)
"""The fields of an OrderedCollection."""
DICTIONARY, KEYS = 0, 1
"""The fields of an OrderedDictionary."""


@primitive("orderedCollectionAddLast")
def add_last(vm: Machine, receiver: Pointers, value: Value) -> Value:
    """Add an element at the end."""
    fields = receiver.fields
    if fields[LAST_INDEX] == len(fields[ARRAY].fields):
        _make_room(vm, receiver)
    last = fields[LAST_INDEX]
    fields[ARRAY].fields[last] = value
    fields[LAST_INDEX] = last + 1
    return value


def _make_room(vm: Machine, collection: Pointers) -> None:
    """Make room at the end; a subclass may do it in its own way.

    Source: OrderedCollection>>makeRoomAtLast.
    """
    array, first, last = collection.fields[: LAST_INDEX + 1]
    if collection.cls.name != "OrderedCollection" or 2 * last > MOST_ELEMENTS:
        raise PrimitiveFailed
    size = last - first + 1
    vm.limits.reserve(2 * last * POINTER)
    if size * 2 >= last:
        collection.fields[ARRAY] = Pointers(array.cls, [*array.fields, *[None] * max(last, 1)])
        return
    moved = last // 2
    array.fields[moved - size : moved] = array.fields[first - 1 : last]
    array.fields[first - 1 :] = [None] * size
    collection.fields[1:3] = (moved - size + 1, moved) if size else (1, 0)


@primitive("orderedDictionaryAtPut")
def _at_put(vm: Machine, receiver: Pointers, key: Value, value: Value) -> Value:
    """Store a value under a key, and remember a new key as the last."""
    dictionary, keys = receiver.fields[: KEYS + 1]
    index = index_of(vm, dictionary, key)
    association = dictionary.fields[ASSOCIATIONS].fields[index]
    if association is not None:
        if association.cls.name != "Association":
            raise PrimitiveFailed
        association.fields[VALUE] = value
        return value
    if keys.cls.name != "OrderedCollection":
        raise PrimitiveFailed
    add_last(vm, keys, key)
    try:
        store(vm, dictionary, index, Pointers(vm.classes["Association"], [key, value]))
    except Exception:
        keys.fields[LAST_INDEX] -= 1
        raise
    return value
