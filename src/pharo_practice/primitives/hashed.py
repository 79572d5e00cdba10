"""Hashed collections: finding the index of an element, storing it, and growing.

Strings, symbols, small integers and characters are compared here, and anything by identity; any other
object compares itself, in the Smalltalk code of the method.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable

from pharo_practice.machine.limits import POINTER, SMALL
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import (
    LARGEST,
    SMALLEST,
    Behavior,
    Bytes,
    Character,
    Pointers,
    Value,
    Words,
    class_of,
    identical,
)
from pharo_practice.primitives.arguments import BYTE_STRINGS
from pharo_practice.primitives.collections import comparable
from pharo_practice.primitives.numbers import hash_integer
from pharo_practice.primitives.objects import MOST_ELEMENTS, identity_hash
from pharo_practice.primitives.sequences import elements_of, few
from pharo_practice.primitives.shapes import ARRAY, KEY, TALLY, HashedCollection, Writable
from pharo_practice.primitives.strings import string_hash

SMALLEST_TABLE = 5


@primitive("setScan")
def scan_set(vm: Machine, receiver: HashedCollection, element: Value) -> int:
    """The index of an element, or of the gap for it."""
    elements = receiver.fields[ARRAY].fields
    sought, place = comparable(element), hash_of(vm, element) % len(elements)
    for _ in elements:
        found = elements[place]
        if found is None or found is element or comparable(found) == sought:
            return place + 1
        place = (place + 1) % len(elements)
    raise PrimitiveFailed


@primitive("setIdentityScan")
def scan_identity_set(vm: Machine, receiver: HashedCollection, element: Value) -> int:
    """The same by identity."""
    elements = receiver.fields[ARRAY].fields
    place = _element_hash(vm, element) % len(elements)
    for _ in elements:
        found = elements[place]
        if found is None or identical(found, element):
            return place + 1
        place = (place + 1) % len(elements)
    raise PrimitiveFailed


SET_SCANS: dict[str, Callable[[Machine, Pointers, Value], int]] = {
    "Set": scan_set,
    "IdentitySet": scan_identity_set,
}
"""How the classes find elements whose accesses are primitives; others may do it in their own way."""


def _scan(vm: Machine, receiver: Pointers, element: Value) -> int:
    """The index of an element or of its gap; nil is an element only in a wrapper, which fails."""
    name = receiver.cls.name
    if element is None or name not in SET_SCANS:
        raise PrimitiveFailed
    return SET_SCANS[name](vm, receiver, element) - 1


@primitive("setAdd")
def set_add(vm: Machine, receiver: HashedCollection, element: Value) -> Value:
    """Add an element unless it is included."""
    index = _scan(vm, receiver, element)
    if receiver.fields[ARRAY].fields[index] is None:
        store(vm, receiver, index, element)
    return element


def set_add_all(vm: Machine, receiver: HashedCollection, values: Value) -> Value:
    """Add the elements of an array or ordered collection; if it fails halfway, all can be added again."""
    for element in few(elements_of(values)):
        set_add(vm, receiver, element)
    return values


@primitive("setIncludes")
def set_includes(vm: Machine, receiver: HashedCollection, element: Value) -> bool:
    """Whether an element is included."""
    return receiver.fields[ARRAY].fields[_scan(vm, receiver, element)] is not None


@primitive("hashedNextIndex")
def next_index(_vm: Machine, _receiver: Value, array: Pointers, index: int, stop: int) -> int:
    """The index of the next element after an index, up to another index; 0 if there is none."""
    elements = array.fields
    if stop > len(elements):
        raise PrimitiveFailed
    for place in range(index, stop):
        if elements[place] is not None:
            return place + 1
    return 0


@primitive("hashedNew")
def new(vm: Machine, receiver: Behavior) -> Pointers:
    """Create an empty collection."""
    return _new(vm, receiver, SMALLEST_TABLE)


@primitive("hashedNewSized")
def new_sized(vm: Machine, receiver: Behavior, count: Value) -> Pointers:
    """Create an empty collection with room for a number of elements, as ``sizeFor:`` of its class answers."""
    if type(count) is not int or not 0 <= count <= MOST_ELEMENTS:
        raise PrimitiveFailed
    if receiver.name in SET_SCANS:
        return _new(vm, receiver, size_for(count * 4 // 3))
    return _new(vm, receiver, SMALLEST_TABLE if count < 4 else size_for((count + 1) * 4 // 3))


def _new(vm: Machine, behavior: Behavior, size: int) -> Pointers:
    if behavior.name not in HASHES or behavior.instance_size != len((TALLY, ARRAY)):
        raise PrimitiveFailed
    if size * POINTER > SMALL:
        vm.limits.reserve(size * POINTER)
    return Pointers(behavior, [0, vm.array([None] * size)])


@primitive("hashedInitialize")
def initialize(vm: Machine, receiver: Writable, size: int) -> Pointers:
    """Initialize an empty collection with an array of that size."""
    vm.limits.reserve(size * POINTER)
    receiver.fields[ARRAY] = vm.array([None] * size)
    receiver.fields[TALLY] = 0
    return receiver


@primitive("hashedAtNewIndexPut")
def at_new_index_put(vm: Machine, receiver: HashedCollection, index: int, value: Value) -> Pointers:
    """Fill a gap, and grow if the collection is too full; a subclass may grow in its own way."""
    if receiver.cls.name not in HASHES or not 1 <= index <= len(receiver.fields[ARRAY].fields):
        raise PrimitiveFailed
    store(vm, receiver, index - 1, value)
    return receiver


def store(vm: Machine, receiver: Pointers, place: int, element: Value) -> None:
    """Fill the gap at an index; grow first if less than a quarter would be free.

    Raises:
        PrimitiveFailed: If it has to grow and its class, or an element, has a hash of its own.
    """
    fields = receiver.fields
    elements, tally = fields[ARRAY].fields, fields[TALLY] + 1
    size = len(elements)
    if size - tally < (size // 4 or 1):
        filled = [*elements[:place], element, *elements[place + 1 :]]
        fields[ARRAY] = vm.array(_spread(vm, receiver, filled, size_for(2 * size)))
    elements[place] = element  # in the old array too, because it may be being enumerated
    fields[TALLY] = tally


@primitive("setFixCollisions")
def fix_collisions(vm: Machine, receiver: HashedCollection, start: int) -> Pointers:
    """After a removal, move elements that had collided with the removed one nearer to their own index."""
    elements = receiver.fields[ARRAY].fields
    move_followers(elements, start, lambda index: _scan(vm, receiver, elements[index]))
    return receiver


def move_followers(elements: list[Value], start: int, place_at: Callable[[int], int]) -> None:
    """Move the elements behind a gap, up to the next one, each to the place that is found for it.

    Raises:
        PrimitiveFailed: If there is none for one of them; nothing has moved then.
    """
    followers: list[int] = []
    while elements[index := (start + len(followers)) % len(elements)] is not None:
        place_at(index)
        followers.append(index)
    for index in followers:
        place = place_at(index)
        elements[place], elements[index] = elements[index], elements[place]


@primitive("hashedFill")
def fill(vm: Machine, receiver: HashedCollection, old: Pointers) -> Pointers:
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
        place = find_hash(vm, element) % size
        while spread[place] is not None:
            place = (place + 1) % size
        spread[place] = element
    return spread


# hashes


def hash_of(vm: Machine, value: Value) -> int:
    """What Smalltalk's ``hash`` answers for the same value."""
    if type(value) is int:
        return hash_integer(value)
    if type(value) is Character:
        return value.code
    if type(value) is not Bytes and type(value) is not Words:
        raise PrimitiveFailed
    if value.cls.name not in HASHED_BY_CONTENT:
        raise PrimitiveFailed
    found: int = string_hash(vm, value)
    return found


HASHED_BY_CONTENT = BYTE_STRINGS | {"WideString", "WideSymbol", "ByteArray"}
"""Classes whose hash ``string_hash`` is; a subclass may have one of its own."""


def identity_hash_of(vm: Machine, value: Value) -> int:
    """What ``identityHash`` answers; small integers have a method of their own."""
    if type(value) is int and SMALLEST <= value <= LARGEST:
        return hash_integer(value)
    found: int = identity_hash(vm, value)
    return found


def _element_hash(vm: Machine, element: Value) -> int:
    """The hash by identity; nil is an element only in a wrapper, which fails."""
    if element is None or class_of(element).name == "CollectionElement":
        raise PrimitiveFailed
    return identity_hash_of(vm, element)


def _key_of(association: Value) -> Value:
    """The key of an entry of a dictionary."""
    try:
        return association.fields[KEY]
    except (
        AttributeError,
        IndexError,
    ):  # the value may be anything; nearly always it is an association
        raise PrimitiveFailed from None


HASHES: dict[str, Callable[[Machine, Value], int]] = {
    "Set": hash_of,
    "IdentitySet": _element_hash,
    "Dictionary": lambda vm, association: hash_of(vm, _key_of(association)),
    "IdentityDictionary": lambda vm, association: identity_hash_of(vm, _key_of(association)),
}
"""By what a class finds the place of an element."""


# sizes


@primitive("hashTableSizes")
def _sizes(vm: Machine, _receiver: Value) -> Value:
    return vm.array([*SIZES])


@primitive("hashTableSizeAtLeast")
def _size_at_least(_vm: Machine, _receiver: Value, least: Value) -> int:
    if type(least) is not int:
        raise PrimitiveFailed
    return size_for(least)


def size_for(least: int) -> int:
    """The smallest table size that is large enough; beyond the table, an odd number."""
    place = bisect_left(SIZES, least)
    return SIZES[place] if place < len(SIZES) else least | 1


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
