"""Indexed collections: copying many elements at once, and random bytes."""

from __future__ import annotations

import os
from collections.abc import MutableSequence, Sequence
from itertools import chain

from pharo_practice.machine.limits import POINTER, SMALL
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import LARGEST, SMALLEST, Behavior, Bytes, Character, Pointers, Value, Words
from pharo_practice.primitives.arguments import BYTE_STRINGS

ROOM: dict[type, int] = {Bytes: 1, Words: 4, Pointers: POINTER}
"""Bytes that a copy of one element takes."""
FEW = SMALL // POINTER
"""Elements up to which a new collection is not counted by itself."""
MOST_AT_ONCE = 500_000
"""Elements that a primitive goes through one by one: nothing can interrupt it. Smalltalk does with more."""


def _elements(value: Value) -> tuple[MutableSequence[Value], int]:
    """The Python object that holds the indexed elements of a value, and the index of the first one in it."""
    if type(value) is Bytes or type(value) is Words:
        return value.data, 0
    if type(value) is Pointers and value.cls.kind in ("variable", "weak"):
        return value.fields, value.cls.instance_size
    raise PrimitiveFailed


@primitive("replaceElements")
def replace_elements(
    vm: Machine,
    receiver: Value,
    start: Value,
    stop: Value,
    replacement: Value,
    replacement_start: Value,
) -> Value:
    """Copy elements of one collection over another's; fails where kinds or bounds do not fit."""
    if not type(start) is type(stop) is type(replacement_start) is int:
        raise PrimitiveFailed
    count = stop - start + 1
    if count <= 0:
        return receiver
    ours, our_offset = _elements(receiver)
    theirs, their_offset = _elements(replacement)
    last = replacement_start + count - 1
    if (
        start < 1
        or stop > len(ours) - our_offset
        or replacement_start < 1
        or last > len(theirs) - their_offset
    ):
        raise PrimitiveFailed
    if count > FEW:
        vm.limits.reserve(count * ROOM[type(receiver)])
    copied: Value = theirs[their_offset + replacement_start - 1 : their_offset + last]
    if type(receiver) is Bytes and type(replacement) is Words:
        copied = bytearray([*copied])  # fails for wide characters
    elif type(receiver) is not type(replacement):
        raise PrimitiveFailed
    ours[our_offset + start - 1 : our_offset + stop] = copied
    return receiver


@primitive("fillElements")
def fill_elements(vm: Machine, receiver: Value, value: Value) -> Value:
    """Store one object at every index of a string, byte array or array."""
    elements, species = _plain(vm, receiver)
    _reserve(vm, species, len(elements))
    if species.name == "Array":
        one: Value = [value]
    elif species.name == "ByteString" and type(value) is Character:
        one = bytearray([value.code])
    elif species.name == "ByteArray" and type(value) is int:
        one = bytearray([value])
    else:
        raise PrimitiveFailed
    elements[:] = one * len(elements)
    return receiver


@primitive("copyElements")
def copy_elements(vm: Machine, receiver: Value, start: Value, stop: Value) -> Value:
    """Part of a string, byte array or array; fails if the bounds are invalid."""
    elements, species = _plain(vm, receiver)
    _check_part(elements, start, stop)
    if stop - start > FEW:
        _reserve(vm, species, stop - start + 1)
    return _new(species, elements[start - 1 : stop])


@primitive("concatenate")
def concatenate(vm: Machine, receiver: Value, other: Value) -> Value:
    """A new string, byte array or array with the elements of both."""
    elements, species = _plain(vm, receiver)
    others, other_species = _plain(vm, other)
    if species is not other_species:
        raise PrimitiveFailed
    if len(elements) + len(others) > FEW:
        _reserve(vm, species, len(elements) + len(others))
    return _new(species, elements, others)


def _reserve(vm: Machine, species: Behavior, count: int) -> None:
    """Reserve memory for the elements of a new string, byte array or array."""
    vm.limits.reserve(count * (POINTER if species.name == "Array" else 1))


def _check_part(elements: Sequence[Value], start: Value, stop: Value) -> None:
    if not type(start) is type(stop) is int or not 1 <= start <= stop + 1 <= len(elements) + 1:
        raise PrimitiveFailed


def _plain(vm: Machine, value: Value) -> tuple[Value, Behavior]:
    """The elements of a string of bytes, byte array or array, and the class of its copies."""
    if type(value) is Bytes:
        if value.cls.name in BYTE_STRINGS:
            return value.data, vm.classes["ByteString"]
        if value.cls.name == "ByteArray":
            return value.data, value.cls
    elif type(value) is Pointers and value.cls.name == "Array":
        return value.fields, value.cls
    raise PrimitiveFailed


def _new(species: Behavior, *parts: Value) -> Value:
    """A writable collection of these elements."""
    if species.name == "Array":
        return Pointers(species, list(chain(*parts)))
    return Bytes(species, bytearray().join(parts))


def comparable(value: Value) -> Value:
    """The Python value of a string, symbol, small integer, character or nil, with the same equality.

    Raises:
        PrimitiveFailed: If the value is something else, which compares itself.
    """
    if type(value) is Bytes and value.cls.name in BYTE_STRINGS:
        return value.data
    if type(value) is Character or value is None or (type(value) is int and SMALLEST <= value <= LARGEST):
        return value
    raise PrimitiveFailed


@primitive("indexOfElement")
def index_of_element(_vm: Machine, receiver: Value, sought: Value, start: Value = 1) -> int:
    """The index of an element of an array or ordered collection at or after ``start``; 0 if there is none."""
    elements = few_elements(receiver)
    if type(start) is not int or start < 1:
        raise PrimitiveFailed
    if type(sought) is Character and {*map(type, elements)} == {Character}:
        return elements.index(sought, start - 1) + 1 if sought in elements[start - 1 :] else 0
    key = comparable(sought)
    for index in range(start - 1, len(elements)):
        each = elements[index]
        if each is sought or comparable(each) == key:
            return index + 1
    return 0


@primitive("includesElement")
def _includes_element(vm: Machine, receiver: Value, sought: Value) -> bool:
    """Whether an element is included."""
    if type(receiver) is not Bytes:
        return bool(index_of_element(vm, receiver, sought))
    if receiver.cls.name not in BYTE_STRINGS or type(sought) is not Character:
        raise PrimitiveFailed
    code: int = sought.code
    return code < 256 and code in receiver.data


def few_elements(value: Value) -> list[Value]:
    """The elements of an array or ordered collection, if they are not too many for one step.

    Raises:
        PrimitiveFailed: If they are, or the value is something else: a subclass may find them in its own way.
    """
    if type(value) is not Pointers:
        raise PrimitiveFailed
    name, elements = value.cls.name, value.fields
    if name == "OrderedCollection":
        array, first, last = value.fields[:3]
        if type(array) is not Pointers or not type(first) is type(last) is int:
            raise PrimitiveFailed  # it is not initialized
        elements = array.fields[first - 1 : last]
    elif name != "Array":
        raise PrimitiveFailed
    if len(elements) > MOST_AT_ONCE:
        raise PrimitiveFailed
    return elements


@primitive("orderedCollectionAddLast")
def add_last(_vm: Machine, receiver: Pointers, value: Value) -> Value:
    """Add an element at the end; fails if there is no room, which Smalltalk makes."""
    array, _, last = receiver.fields[:3]
    array.fields[last] = value
    receiver.fields[2] = last + 1
    return value


@primitive("uuidFill")
def uuid_fill(vm: Machine, receiver: Value) -> Value:
    """Fill a byte array of 16 with a new random UUID, from the operating system's own source."""
    if type(receiver) is not Bytes or len(receiver.data) != 16:
        raise PrimitiveFailed
    data = bytearray(os.urandom(16))
    data[6] = data[6] & 0x0F | 0x40  # version 4: random
    data[8] = data[8] & 0x3F | 0x80  # of the usual variant
    receiver.data[:] = data
    return receiver
