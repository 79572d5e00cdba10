"""Ordered dictionaries: adding all of another one, and removing a key."""

from __future__ import annotations

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import Pointers, Value
from pharo_practice.primitives.arguments import fields_of
from pharo_practice.primitives.collections import comparable
from pharo_practice.primitives.dictionaries import association_at, find_place
from pharo_practice.primitives.hashed import move_followers, store
from pharo_practice.primitives.sequences import (
    LAST_INDEX,
    elements_of,
    few,
    ordered_collection_add,
)
from pharo_practice.primitives.shapes import (
    ARRAY,
    KEY,
    ORDERED_KEYS,
    TALLY,
    VALUE,
    OrderedDictionary,
)


@primitive("orderedDictionaryAddAll")
def add_all(vm: Machine, receiver: OrderedDictionary, others: OrderedDictionary) -> Value:
    """Add the associations of another ordered dictionary; if it fails halfway, all can be added again."""
    dictionary, keys = fields_of(receiver, "OrderedDictionary")[: ORDERED_KEYS + 1]
    source, source_keys = fields_of(others, "OrderedDictionary")[: ORDERED_KEYS + 1]
    for key in list(few(elements_of(source_keys))):
        association = association_at(vm, source, key)
        fields_of(association, "Association")
        place = find_place(vm, dictionary, key)
        found = dictionary.fields[ARRAY].fields[place]
        if found is not None:
            fields_of(found, "Association")[VALUE] = association.fields[VALUE]
            continue
        ordered_collection_add(vm, keys, key)
        try:
            store(vm, dictionary, place, association)
        except Exception:
            keys.fields[LAST_INDEX] -= 1
            raise
    return others


@primitive("orderedDictionaryRemoveKey")
def remove_key(vm: Machine, receiver: OrderedDictionary, key: Value) -> Value:
    """Remove a key, and answer the value that was under it."""
    dictionary, keys = fields_of(receiver, "OrderedDictionary")[: ORDERED_KEYS + 1]
    associations = dictionary.fields[ARRAY].fields
    place = find_place(vm, dictionary, key)
    association, index = associations[place], _index_of(keys, key)
    value = fields_of(association, "Association")[VALUE]

    def place_at(follower: int) -> int:
        return find_place(vm, dictionary, associations[follower].fields[KEY])

    associations[place] = None
    try:
        move_followers(associations, place + 1, place_at)
    except Exception:
        associations[place] = association
        raise
    dictionary.fields[TALLY] -= 1
    array, _, last = keys.fields[: LAST_INDEX + 1]
    array.fields[index : last - 1] = array.fields[index + 1 : last]
    array.fields[last - 1] = None
    keys.fields[LAST_INDEX] = last - 1
    return value


def _index_of(keys: Pointers, key: Value) -> int:
    """The index of a key among the fields of an ordered collection's array."""
    array, first, last = fields_of(keys, "OrderedCollection")[: LAST_INDEX + 1]
    elements, sought = fields_of(array, "Array"), comparable(key)
    for index in range(first - 1, last):
        if elements[index] is key or comparable(elements[index]) == sought:
            return index
    raise PrimitiveFailed
