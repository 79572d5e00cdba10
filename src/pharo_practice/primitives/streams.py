"""Streams over strings, byte arrays and arrays: one element, or many, in one step.

Whatever is unusual (the end, other collections, elements that do not fit) fails, and the Smalltalk
code of the method does it.
"""

from __future__ import annotations

from collections.abc import MutableSequence, Sequence

from pharo_practice.machine.limits import POINTER
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import Behavior, Bytes, Character, Pointers, Value, character
from pharo_practice.primitives.arguments import BYTE_STRINGS, integer
from pharo_practice.primitives.collections import comparable, copy_elements
from pharo_practice.primitives.objects import MOST_ELEMENTS
from pharo_practice.primitives.sequences import elements_of
from pharo_practice.primitives.shapes import (
    COLLECTION,
    POSITION,
    READ_LIMIT,
    WRITE_LIMIT,
    Stream,
    Writable,
    WriteStream,
)

PLAIN_WRITERS = frozenset({"WriteStream", "ReadWriteStream"})
"""Classes whose streams grow here; a subclass may do it in a way of its own."""

WRITERS = PLAIN_WRITERS | {"LimitedWriteStream"}
"""Classes whose streams begin here."""


@primitive("streamAtEnd")
def stream_at_end(_vm: Machine, receiver: Stream) -> bool:
    """Whether the stream is at its end."""
    return bool(receiver.fields[POSITION] >= receiver.fields[READ_LIMIT])


@primitive("streamNext")
def stream_next(_vm: Machine, receiver: Stream) -> Value:
    """Read the next element."""
    fields = receiver.fields
    position: int = fields[POSITION]
    if not 0 <= position < fields[READ_LIMIT]:
        raise PrimitiveFailed
    value = _element(fields[COLLECTION], position)
    fields[POSITION] = position + 1
    return value


@primitive("streamPeek")
def stream_peek(_vm: Machine, receiver: Stream) -> Value:
    """The next element, without moving."""
    fields = receiver.fields
    if not 0 <= fields[POSITION] < fields[READ_LIMIT]:
        raise PrimitiveFailed
    return _element(fields[COLLECTION], fields[POSITION])


def _element(collection: Value, place: int) -> Value:
    name = collection.cls.name
    if name in BYTE_STRINGS:
        return character(collection.data[place])
    if name == "Array":
        return collection.fields[place]
    if name == "ByteArray":
        return collection.data[place]
    raise PrimitiveFailed


@primitive("streamPeekFor")
def stream_peek_for(_vm: Machine, receiver: Stream, value: Value) -> bool:
    """Whether the next element is this one; if so, read it."""
    fields = receiver.fields
    position: int = fields[POSITION]
    if not 0 <= position < fields[READ_LIMIT]:
        raise PrimitiveFailed
    element = _element(fields[COLLECTION], position)
    if type(element) is type(value) is Character:
        is_next = element is value
    else:
        is_next = comparable(element) == comparable(value)
    if not is_next:
        return False
    fields[POSITION] = position + 1
    return True


@primitive("streamSkip")
def stream_skip(_vm: Machine, receiver: Stream, count: Value) -> Value:
    """Move by a number of elements, within the stream."""
    position = receiver.fields[POSITION] + integer(count)
    if receiver.cls.name != "ReadStream" or not 0 <= position <= receiver.fields[READ_LIMIT]:
        raise PrimitiveFailed
    receiver.fields[POSITION] = position
    return receiver


@primitive("streamSkipTo")
def stream_skip_to(_vm: Machine, receiver: Stream, value: Value) -> bool:
    """Move behind the next element that is this one, else to the end; answer whether there is one."""
    fields = receiver.fields
    position, limit = fields[POSITION], fields[READ_LIMIT]
    if receiver.cls.name != "ReadStream" or not 0 <= position <= limit:
        raise PrimitiveFailed
    code = _code(fields[COLLECTION], value)
    found = fields[COLLECTION].data.find(code, position, limit)
    fields[POSITION] = limit if found < 0 else found + 1
    return bool(found >= 0)


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


# making


@primitive("streamOn")
def stream_on(_vm: Machine, receiver: Behavior, collection: Value) -> Pointers:
    """A new stream that reads from, or writes to, a collection."""
    size = len(_storage(collection))
    if receiver.name == "WriteStream" and receiver.instance_size == WRITE_LIMIT + 1:
        return Pointers(receiver, [collection, 0, 0, size])
    if receiver.name == "ReadStream" and receiver.instance_size == READ_LIMIT + 1:
        return Pointers(receiver, [collection, 0, size])
    raise PrimitiveFailed


@primitive("readStreamOn")
def read_stream_on(_vm: Machine, receiver: Writable, collection: Value) -> Pointers:
    """Initialize a stream that reads a collection."""
    if receiver.cls.name != "ReadStream":
        raise PrimitiveFailed
    receiver.fields[:3] = [collection, 0, len(_storage(collection))]
    return receiver


@primitive("writeStreamOn")
def write_stream_on(_vm: Machine, receiver: Writable, collection: Value) -> Pointers:
    """Initialize a stream that writes to a collection."""
    if receiver.cls.name not in WRITERS:
        raise PrimitiveFailed
    receiver.fields[:4] = [collection, 0, 0, len(_storage(collection))]
    return receiver


@primitive("writeStreamContents")
def write_stream_contents(vm: Machine, receiver: WriteStream) -> Value:
    """A copy of the written elements."""
    collection, position, read_limit = receiver.fields[:3]
    copy = copy_elements(vm, collection, 1, position)
    receiver.fields[READ_LIMIT] = max(read_limit, position)
    return copy


# writing


@primitive("streamNextPut")
def stream_next_put(vm: Machine, receiver: WriteStream, value: Value) -> Value:
    """Write an element."""
    fields = receiver.fields
    position = fields[POSITION]
    if not 0 <= position < fields[WRITE_LIMIT]:
        _grow(vm, receiver, max(len(_storage(fields[COLLECTION])), 20))
    collection = fields[COLLECTION]
    name = collection.cls.name
    if name == "ByteString" and type(value) is Character:
        collection.data[position] = value.code
    elif name == "Array":
        collection.fields[position] = value
    elif name == "ByteArray" and type(value) is int:
        collection.data[position] = value
    elif name == "WideString" and type(value) is Character:
        collection.data[position] = value.code
    else:
        raise PrimitiveFailed
    fields[POSITION] = position + 1
    return value


@primitive("streamNextPutAll")
def stream_next_put_all(vm: Machine, receiver: WriteStream, values: Value) -> Value:
    """Write the elements of a collection of the same kind; those of some others, if there is room."""
    elements = values.data if type(values) is Bytes else elements_of(values)
    end = receiver.fields[POSITION] + len(elements)
    is_alike = _is_alike(receiver, values)
    if end > receiver.fields[WRITE_LIMIT]:
        if not is_alike:
            raise PrimitiveFailed  # one by one, so that the collection shows those for which it has room
        size = len(_storage(receiver.fields[COLLECTION]))
        _grow(vm, receiver, end + 10 + max(size // 4, 20) - size)
    _put(receiver, elements, end)
    return values


@primitive("streamNextPutPart")
def stream_next_put_part(
    vm: Machine, receiver: WriteStream, count: Value, values: Value, start: Value
) -> Value:
    """Write a number of characters or bytes from ``start`` on, if there is room."""
    if (
        type(values) is not Bytes
        or type(count) is not int
        or type(start) is not int
        or count < 0
        or not 1 <= start <= len(values.data) + 1
    ):
        raise PrimitiveFailed
    vm.limits.reserve(min(count, len(values.data)))
    part = values.data[start - 1 : start - 1 + count]
    end = receiver.fields[POSITION] + len(part)
    if end > receiver.fields[WRITE_LIMIT] or not _is_alike(receiver, values):
        raise PrimitiveFailed
    _put(receiver, part, end)
    return receiver


def _is_alike(stream: Pointers, values: Value) -> bool:
    """Whether the values fit into the collection of the stream.

    Raises:
        PrimitiveFailed: If they do not, and must be written one by one.
    """
    written, name = stream.fields[COLLECTION].cls.name, values.cls.name
    if written == name:
        return True
    is_close = (
        type(values) is Pointers if written == "Array" else (written, name) == ("ByteString", "ByteSymbol")
    )
    if not is_close or stream.cls.name not in PLAIN_WRITERS:
        raise PrimitiveFailed
    return False


def _put(stream: Pointers, elements: Sequence[Value], end: int) -> None:
    """Write the elements up to an end for which there is room."""
    storage, position = _storage(stream.fields[COLLECTION]), stream.fields[POSITION]
    if position < 0 or end > len(storage):
        raise PrimitiveFailed
    storage[position:end] = elements
    stream.fields[POSITION] = end


def _grow(vm: Machine, stream: Pointers, more: int) -> None:
    """Let the stream write to a larger copy of its collection."""
    fields = stream.fields
    collection, size = fields[COLLECTION], len(_storage(fields[COLLECTION])) + more
    if stream.cls.name not in PLAIN_WRITERS or fields[POSITION] < 0 or more < 0 or size > MOST_ELEMENTS:
        raise PrimitiveFailed
    if type(collection) is Bytes:
        vm.limits.reserve(size)
        fields[COLLECTION] = Bytes(collection.cls, bytearray(collection.data) + bytes(more))
    else:
        vm.limits.reserve(size * POINTER)
        fields[COLLECTION] = vm.array([*collection.fields, *[None] * more])
    fields[WRITE_LIMIT] = size


def _storage(collection: Value) -> MutableSequence[Value]:
    """The Python object that holds the elements of a writable string of bytes, byte array or array."""
    if type(collection) is Pointers and collection.cls.name == "Array":
        return collection.fields
    if type(collection) is Bytes and collection.cls.name in ("ByteString", "ByteArray"):
        return collection.data
    raise PrimitiveFailed
