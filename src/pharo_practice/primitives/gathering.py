"""Adding many objects to a set or bag, and listing what a set or dictionary holds, each in one step."""

from __future__ import annotations

from collections import Counter

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import Bytes, Pointers, Value, class_of
from pharo_practice.primitives.dictionaries import PLAIN_DICTIONARIES, at_put
from pharo_practice.primitives.hashed import SET_SCANS, set_add, set_add_all
from pharo_practice.primitives.sequences import elements_of, few
from pharo_practice.primitives.shapes import ARRAY, KEY, HashedCollection

MANY = 1_000
"""Elements from which on it is worth while to look for those that occur more than once."""


@primitive("collectionAddAll")
def _add_all(vm: Machine, receiver: HashedCollection, values: Value) -> Value:
    """Add the elements of an array or ordered collection to a set, or to a bag that compares by identity."""
    elements = few(elements_of(values))
    if receiver.cls.name == "IdentityBag":
        _count(vm, receiver.fields[0], list(elements))
    elif len(elements) < MANY:
        set_add_all(vm, receiver, values)
    else:
        for element in {id(each): each for each in elements}.values():
            set_add(vm, receiver, element)
    return values


def _count(vm: Machine, contents: Value, elements: list[Value]) -> None:
    """Add to the numbers of occurrences that the dictionary of a bag holds."""
    if type(contents) is not Pointers or contents.cls.name != "IdentityDictionary":
        raise PrimitiveFailed
    if any(association is not None for association in contents.fields[ARRAY].fields):
        raise PrimitiveFailed  # if it fails halfway, all are added again
    if any(type(each) is not Bytes for each in elements):
        raise PrimitiveFailed  # equal integers are identical
    objects = {id(each): each for each in elements}
    for identity, count in Counter(map(id, elements)).items():
        at_put(vm, contents, objects[identity], count)


@primitive("dictionaryKeys")
def _keys(vm: Machine, receiver: HashedCollection) -> Value:
    """The keys of a dictionary, in its order."""
    if receiver.cls.name not in PLAIN_DICTIONARIES:
        raise PrimitiveFailed
    return vm.array([each.fields[KEY] for each in receiver.fields[ARRAY].fields if each is not None])


@primitive("collectionAsArray")
def _as_array(vm: Machine, receiver: HashedCollection) -> Value:
    """The elements of a set, in its order."""
    if receiver.cls.name not in SET_SCANS:
        raise PrimitiveFailed
    elements = [each for each in receiver.fields[ARRAY].fields if each is not None]
    if any(class_of(each).name == "CollectionElement" for each in elements):
        raise PrimitiveFailed  # it stands for another object
    return vm.array(elements)
