"""Streams over strings of bytes, byte arrays and arrays: one element, or many, in one step.

Whatever is unusual (the end, other collections, elements that do not fit) fails, and the Smalltalk code of
the method does it.
"""

from __future__ import annotations

from collections.abc import MutableSequence

from pharo_practice.machine.limits import POINTER
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.object_memory import is_read_only
from pharo_practice.model.objects import Bytes, Character, Pointers, Value, character
from pharo_practice.primitives.arguments import BYTE_STRINGS
from pharo_practice.primitives.collections import comparable, few_elements
from pharo_practice.primitives.objects import MOST_ELEMENTS

COLLECTION, POSITION, READ_LIMIT, WRITE_LIMIT = range(4)
"""The fields of a stream."""
GROWING = frozenset({"WriteStream", "ReadWriteStream"})
"""Classes whose streams grow here; a subclass may do it in its own way."""


@primitive("readStreamOn")
def _read_on(_vm: Machine, receiver: Pointers, collection: Value) -> Pointers:
    """Initialize a stream that reads a collection."""
    if receiver.cls.name != "ReadStream" or is_read_only(receiver):
        raise PrimitiveFailed
    receiver.fields[: READ_LIMIT + 1] = [collection, 0, len(_storage(collection))]
    return receiver


# reading


@primitive("streamPeek")
def _peek(_vm: Machine, receiver: Pointers) -> Value:
    """The next element, without moving."""
    return _next_of(receiver)


@primitive("streamPeekFor")
def _peek_for(_vm: Machine, receiver: Pointers, value: Value) -> bool:
    """Whether the next element is this one; if so, read it."""
    is_next = bool(comparable(_next_of(receiver)) == comparable(value))
    receiver.fields[POSITION] += is_next
    return is_next


def _next_of(stream: Pointers) -> Value:
    collection, position, limit = stream.fields[: READ_LIMIT + 1]
    if not 0 <= position < limit:
        raise PrimitiveFailed
    name = collection.cls.name
    if name in BYTE_STRINGS:
        return character(collection.data[position])
    if name == "Array":
        return collection.fields[position]
    if name == "ByteArray":
        return collection.data[position]
    raise PrimitiveFailed


# writing


@primitive("streamNextPut")
def _next_put(vm: Machine, receiver: Pointers, value: Value) -> Value:
    """Write an element."""
    position = receiver.fields[POSITION]
    if not 0 <= position < receiver.fields[WRITE_LIMIT]:
        _grow(vm, receiver, max(len(_storage(receiver.fields[COLLECTION])), 20))
    collection = receiver.fields[COLLECTION]
    _storage(collection)[position] = value if type(collection) is Pointers else _code(collection, value)
    receiver.fields[POSITION] = position + 1
    return value


@primitive("streamNextPutAll")
def _next_put_all(vm: Machine, receiver: Pointers, values: Value) -> Value:
    """Write the elements of a collection of the same kind; those of some others, if there is room."""
    collection, position, _, limit = receiver.fields[: WRITE_LIMIT + 1]
    elements = values.data if type(values) is Bytes else few_elements(values)
    end, size = position + len(elements), len(_storage(collection))
    if values.cls is not collection.cls and (end > limit or not _is_close(receiver, values)):
        raise PrimitiveFailed  # one by one, so that the collection shows those for which it has room
    if end > limit:
        _grow(vm, receiver, end + 10 + max(size // 4, 20) - size)
    storage = _storage(receiver.fields[COLLECTION])
    if not 0 <= position <= end <= len(storage):
        raise PrimitiveFailed
    storage[position:end] = elements
    receiver.fields[POSITION] = end
    return values


def _is_close(stream: Pointers, values: Value) -> bool:
    """Whether the elements of another kind of collection can be stored as they are."""
    written = stream.fields[COLLECTION].cls.name
    if written == "Array":
        is_close = type(values) is Pointers
    else:
        is_close = (written, values.cls.name) == ("ByteString", "ByteSymbol")
    return is_close and stream.cls.name in GROWING


def _grow(vm: Machine, stream: Pointers, more: int) -> None:
    """Let the stream write to a larger copy of its collection."""
    collection, position = stream.fields[:2]
    size = len(_storage(collection)) + more
    if stream.cls.name not in GROWING or position < 0 or more < 0 or size > MOST_ELEMENTS:
        raise PrimitiveFailed
    if type(collection) is Bytes:
        vm.limits.reserve(size)
        stream.fields[COLLECTION] = Bytes(collection.cls, bytearray(collection.data) + bytes(more))
    else:
        vm.limits.reserve(size * POINTER)
        stream.fields[COLLECTION] = vm.array([*collection.fields, *[None] * more])
    stream.fields[WRITE_LIMIT] = size


def _code(collection: Value, value: Value) -> int:
    """The byte that is an element of a string or byte array."""
    if type(collection) is not Bytes:
        raise PrimitiveFailed
    name = collection.cls.name
    if name in BYTE_STRINGS and type(value) is Character and value.code < 256:
        return value.code
    if name == "ByteArray" and type(value) is int and 0 <= value < 256:
        return value
    raise PrimitiveFailed


def _storage(collection: Value) -> MutableSequence[Value]:
    """The Python object that holds the elements of a writable string of bytes, byte array or array."""
    if type(collection) is Pointers and collection.cls.name == "Array":
        return collection.fields
    if type(collection) is Bytes and collection.cls.name in ("ByteString", "ByteArray"):
        return collection.data
    raise PrimitiveFailed
