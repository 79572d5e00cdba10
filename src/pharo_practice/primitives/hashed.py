"""Hashed collections: finding the index of an element or key, storing, and growing.

Strings, symbols, small integers and characters are compared here, and anything by identity. Any other object
compares itself, in the Smalltalk code of the method.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from itertools import chain

from pharo_practice.machine.limits import POINTER
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import (
    LARGEST,
    SMALLEST,
    Character,
    ConstantClosure,
    Pointers,
    Value,
    class_of,
    identical,
)
from pharo_practice.primitives.arguments import BYTE_STRINGS
from pharo_practice.primitives.collections import comparable
from pharo_practice.primitives.numbers import hash_integer
from pharo_practice.primitives.objects import identity_hash
from pharo_practice.primitives.strings import string_hash

TALLY, ARRAY = 0, 1
"""The fields of a hashed collection."""
KEY, VALUE = 0, 1
"""The fields of an association."""


# finding


def _scan(elements: list[Value], start: int, is_sought: Callable[[Value], bool]) -> int:
    """The index, from 1, of the element that is sought, or of the gap for it, from where it may begin."""
    start %= len(elements)
    for index in chain(range(start, len(elements)), range(start)):
        found = elements[index]
        if found is None or is_sought(found):
            return index + 1
    raise PrimitiveFailed


@primitive("setScan")
def _scan_set(vm: Machine, receiver: Pointers, element: Value) -> int:
    """The index of an element, or of the gap for it."""
    sought = comparable(element)
    return _scan(
        receiver.fields[ARRAY].fields,
        hash_of(vm, element),
        lambda found: found is element or comparable(found) == sought,
    )


@primitive("setIdentityScan")
def _scan_identity_set(vm: Machine, receiver: Pointers, element: Value) -> int:
    """The same by identity."""
    start = _element_hash(vm, element)
    return _scan(receiver.fields[ARRAY].fields, start, lambda found: identical(found, element))


@primitive("dictionaryScan")
def _scan_dictionary(vm: Machine, receiver: Pointers, key: Value) -> int:
    """The index of a key's association, or of the gap for it."""
    sought = comparable(key)
    return _scan(
        receiver.fields[ARRAY].fields,
        hash_of(vm, key),
        lambda found: found.fields[KEY] is key or comparable(found.fields[KEY]) == sought,
    )


@primitive("dictionaryIdentityScan")
def _scan_identity_dictionary(vm: Machine, receiver: Pointers, key: Value) -> int:
    """The same by identity."""
    start = _identity_hash(vm, key)
    return _scan(receiver.fields[ARRAY].fields, start, lambda found: identical(found.fields[KEY], key))


SCANS: dict[str, Callable[[Machine, Pointers, Value], int]] = {
    "Set": _scan_set,
    "IdentitySet": _scan_identity_set,
    "Dictionary": _scan_dictionary,
    "IdentityDictionary": _scan_identity_dictionary,
}
"""How the classes find elements and keys whose accesses are primitives; others may do it in their own way."""


def index_of(vm: Machine, collection: Pointers, sought: Value) -> int:
    """Where, from 0, the element or the association of a key is, or would be.

    Raises:
        PrimitiveFailed: If the class, or the element or key, decides that itself.
    """
    scan = SCANS.get(collection.cls.name)
    if scan is None:
        raise PrimitiveFailed
    return scan(vm, collection, sought) - 1


@primitive("setIncludes")
def _includes(vm: Machine, receiver: Pointers, element: Value) -> bool:
    """Whether an element is included; nil is one only in a wrapper."""
    if element is None:
        raise PrimitiveFailed
    return receiver.fields[ARRAY].fields[index_of(vm, receiver, element)] is not None


@primitive("dictionaryAt")
def _at(vm: Machine, receiver: Pointers, key: Value, absent: Value = None) -> Value:
    """The value under a key; if there is none, fails unless the block for that is a constant one."""
    association = receiver.fields[ARRAY].fields[index_of(vm, receiver, key)]
    if association is None:
        if type(absent) is not ConstantClosure:
            raise PrimitiveFailed
        return absent.value
    if association.cls.name != "Association":
        raise PrimitiveFailed
    return association.fields[VALUE]


# storing


@primitive("dictionaryAtPut")
def _at_put(vm: Machine, receiver: Pointers, key: Value, value: Value) -> Value:
    """Store a value under a key."""
    index = index_of(vm, receiver, key)
    association = receiver.fields[ARRAY].fields[index]
    if association is None:
        store(vm, receiver, index, Pointers(vm.classes["Association"], [key, value]))
    elif association.cls.name == "Association":
        association.fields[VALUE] = value
    else:
        raise PrimitiveFailed
    return value


@primitive("hashedAtNewIndexPut")
def _at_new_index_put(vm: Machine, receiver: Pointers, index: int, value: Value) -> Pointers:
    """Fill a gap, and grow if the collection is too full; a subclass may grow in its own way."""
    if receiver.cls.name not in HASHES or not 1 <= index <= len(receiver.fields[ARRAY].fields):
        raise PrimitiveFailed
    store(vm, receiver, index - 1, value)
    return receiver


def store(vm: Machine, receiver: Pointers, index: int, element: Value) -> None:
    """Fill the gap at an index; grow first if less than a quarter would be free.

    Raises:
        PrimitiveFailed: If it has to grow and its class, or an element, has a hash of its own.
    """
    fields = receiver.fields
    elements, tally = fields[ARRAY].fields, fields[TALLY] + 1
    size = len(elements)
    if size - tally < (size // 4 or 1):
        filled = [*elements[:index], element, *elements[index + 1 :]]
        fields[ARRAY] = vm.array(_spread(vm, receiver, filled, size_for(2 * size)))
    elements[index] = element  # in the old array too, because it may be being enumerated
    fields[TALLY] = tally


@primitive("hashedFill")
def _fill(vm: Machine, receiver: Pointers, old: Pointers) -> Pointers:
    """Move the elements of an array that has become too small to their indexes in a new one."""
    array = receiver.fields[ARRAY]
    if any(element is not None for element in array.fields):
        raise PrimitiveFailed
    array.fields[:] = _spread(vm, receiver, old.fields, len(array.fields))
    return receiver


def _spread(vm: Machine, receiver: Pointers, elements: list[Value], size: int) -> list[Value]:
    """A list of this size with the elements at the indexes of their hashes."""
    find_hash = HASHES.get(receiver.cls.name)
    kept = [element for element in elements if element is not None]
    if find_hash is None or size < len(kept):
        raise PrimitiveFailed
    vm.limits.reserve(size * POINTER)
    spread: list[Value] = [None] * size
    for element in kept:
        index = find_hash(vm, element) % size
        while spread[index] is not None:
            index = (index + 1) % size
        spread[index] = element
    return spread


# hashes


def hash_of(vm: Machine, value: Value) -> int:
    """What Smalltalk's ``hash`` answers for the same value."""
    if type(value) is int:
        return hash_integer(value)
    if type(value) is Character:
        return value.code
    if value.cls.name not in HASHED_BY_CONTENT:
        raise PrimitiveFailed
    return string_hash(vm, value)


HASHED_BY_CONTENT = BYTE_STRINGS | {"WideString", "WideSymbol", "ByteArray"}
"""Classes whose hash ``string_hash`` is; a subclass may have one of its own."""


def _identity_hash(vm: Machine, value: Value) -> int:
    """What ``identityHash`` answers; small integers have a method of their own."""
    if type(value) is int and SMALLEST <= value <= LARGEST:
        return hash_integer(value)
    return identity_hash(vm, value)


def _element_hash(vm: Machine, element: Value) -> int:
    """The hash by identity; nil is an element only in a wrapper, which fails."""
    if element is None or _is_wrapper(element):
        raise PrimitiveFailed
    return _identity_hash(vm, element)


def _is_wrapper(element: Value) -> bool:
    """Whether an element stands for another object: nil, or one that a set cannot hold."""
    return class_of(element).name == "CollectionElement"


HASHES: dict[str, Callable[[Machine, Value], int]] = {
    "Set": hash_of,
    "IdentitySet": _element_hash,
    "Dictionary": lambda vm, association: hash_of(vm, association.fields[KEY]),
    "IdentityDictionary": lambda vm, association: _identity_hash(vm, association.fields[KEY]),
}
"""By what a class finds the index of an element."""

# sizes


@primitive("hashTableSizes")
def _sizes(vm: Machine, _receiver: Value) -> Value:
    return vm.array([*SIZES])


@primitive("hashTableSizeAtLeast")
def _size_at_least(_vm: Machine, _receiver: Value, least: Value) -> int:
    return size_for(least)


def size_for(least: int) -> int:
    """The smallest table size that is large enough; beyond the table, an odd number."""
    index = bisect_left(SIZES, least)
    return SIZES[index] if index < len(SIZES) else least | 1


# fmt: off
SIZES = (
    7, 11, 13, 17, 23, 29, 31, 37, 41, 47, 53, 61, 73, 79, 97, 107, 137, 163, 181, 211, 239, 293, 347,
    367, 463, 557, 643, 727, 859, 1097, 1279, 1451, 1663, 2213, 2531, 2897, 3329, 3823, 4391, 5051, 5801,
    6659, 7643, 8783, 10091, 11587, 13313, 15287, 17569, 20173, 23173, 26627, 35129, 40343, 46349, 53233,
    70241, 80687, 92683, 106487, 140521, 161377, 185369, 212969, 244589, 280963, 322747, 370759, 425857,
    489179, 561923, 645481, 741457, 851723, 1123841, 1290983, 1482919, 1703437, 2247673, 2581907,
    2965847, 3406841, 4495357, 5163797, 5931649, 6813673, 8990687, 10327627, 11863289, 13627357,
    17981399, 20655181, 23726569, 27254671, 35962753, 41310361, 47453149, 54509341, 71925533, 82620719,
    94906297, 109018691, 143851009, 165241457, 189812533, 218037343, 287702021, 330482857, 379625083,
    436074697, 575404003, 660965629, 759250133, 872149373, 1001836547,
)
# fmt: on
"""Primes that spread well, about five for each power of two: those that Pharo computes."""
