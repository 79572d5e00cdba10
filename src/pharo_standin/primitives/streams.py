"""Streams over strings, byte arrays and arrays: one element, or many, in one step.

Whatever is unusual (the end, other collections, elements that do not fit) fails, and the Smalltalk
code of the method does it.
"""

from __future__ import annotations

from collections.abc import Sequence

from pharo_standin.machine import Machine
from pharo_standin.objects import Behavior, Bytes, Character, Pointers, Value, character
from pharo_standin.primitive import PrimitiveFailed, primitive
from pharo_standin.primitives.collections import BYTE_STRINGS, comparable, copy_elements
from pharo_standin.primitives.objects import MOST_ELEMENTS
from pharo_standin.primitives.sequences import elements_of

# the fields of a PositionableStream and a WriteStream that are used here
COLLECTION, POSITION, READ_LIMIT, WRITE_LIMIT = range(4)

PLAIN_WRITERS = frozenset({"WriteStream", "ReadWriteStream"})
WRITERS = PLAIN_WRITERS | {"LimitedWriteStream"}
"""Classes whose streams grow and begin here; a subclass may do it in a way of its own."""


@primitive("streamAtEnd")
def stream_at_end(_vm: Machine, receiver: Pointers) -> bool:
    """Whether there is no element to come."""
    return bool(receiver.fields[POSITION] >= receiver.fields[READ_LIMIT])


@primitive("streamNext")
def stream_next(_vm: Machine, receiver: Pointers) -> Value:
    """The next element, and go on behind it."""
    fields = receiver.fields
    position: int = fields[POSITION]
    if not 0 <= position < fields[READ_LIMIT]:
        raise PrimitiveFailed
    value = _element(fields[COLLECTION], position)
    fields[POSITION] = position + 1
    return value


@primitive("streamPeek")
def stream_peek(_vm: Machine, receiver: Pointers) -> Value:
    """The next element."""
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
def stream_peek_for(_vm: Machine, receiver: Pointers, value: Value) -> bool:
    """Whether the next element is this one; if so go on behind it."""
    fields = receiver.fields
    position: int = fields[POSITION]
    if not 0 <= position < fields[READ_LIMIT]:
        raise PrimitiveFailed
    if comparable(_element(fields[COLLECTION], position)) != comparable(value):
        return False
    fields[POSITION] = position + 1
    return True


# making


@primitive("streamOn")
def stream_on(_vm: Machine, receiver: Behavior, collection: Value) -> Pointers:
    """A new stream that begins to read from, or to write into, a collection."""
    size = len(_storage(collection))
    if receiver.name == "WriteStream" and receiver.instance_size == WRITE_LIMIT + 1:
        return Pointers(receiver, [collection, 0, 0, size])
    if receiver.name == "ReadStream" and receiver.instance_size == READ_LIMIT + 1:
        return Pointers(receiver, [collection, 0, size])
    raise PrimitiveFailed


@primitive("readStreamOn")
def read_stream_on(_vm: Machine, receiver: Pointers, collection: Value) -> Pointers:
    """Begin to read a collection."""
    if receiver.cls.name != "ReadStream":
        raise PrimitiveFailed
    receiver.fields[:3] = [collection, 0, len(_storage(collection))]
    return receiver


@primitive("writeStreamOn")
def write_stream_on(_vm: Machine, receiver: Pointers, collection: Value) -> Pointers:
    """Begin to write into a collection."""
    if receiver.cls.name not in WRITERS:
        raise PrimitiveFailed
    receiver.fields[:4] = [collection, 0, 0, len(_storage(collection))]
    return receiver


@primitive("writeStreamContents")
def write_stream_contents(vm: Machine, receiver: Pointers) -> Value:
    """A copy of what was written."""
    collection, position, read_limit = receiver.fields[:3]
    copy = copy_elements(vm, collection, 1, position)
    receiver.fields[READ_LIMIT] = max(read_limit, position)
    return copy


# writing


@primitive("streamNextPut")
def stream_next_put(vm: Machine, receiver: Pointers, value: Value) -> Value:
    """Put an element."""
    fields = receiver.fields
    position = fields[POSITION]
    if not 0 <= position < fields[WRITE_LIMIT]:
        _make_room(vm, receiver, position + 1)
    collection = fields[COLLECTION]
    name = collection.cls.name
    if name == "ByteString" and type(value) is Character:
        collection.data[position] = value.code
    elif name == "Array":
        collection.fields[position] = value
    elif name == "ByteArray" and type(value) is int:
        collection.data[position] = value
    else:
        raise PrimitiveFailed
    fields[POSITION] = position + 1
    return value


@primitive("streamNextPutAll")
def stream_next_put_all(vm: Machine, receiver: Pointers, values: Value) -> Value:
    """Put all characters of a string, bytes of a byte array, or elements of another sequence."""
    if type(values) is Bytes:
        _put(vm, receiver, values, 0, len(values.data))
        return values
    elements = elements_of(values)
    fields = receiver.fields
    position, end = fields[POSITION], fields[POSITION] + len(elements)
    if receiver.cls.name not in PLAIN_WRITERS or fields[COLLECTION].cls.name != "Array" or position < 0:
        raise PrimitiveFailed
    if end > fields[WRITE_LIMIT]:
        if values.cls.name != "Array" and position < fields[WRITE_LIMIT]:
            raise PrimitiveFailed  # one by one, so that the array shows those for which it has room
        _make_room(vm, receiver, end)
    fields[COLLECTION].fields[position:end] = elements
    fields[POSITION] = end
    return values


@primitive("streamNextPutPart")
def stream_next_put_part(vm: Machine, receiver: Pointers, count: Value, values: Value, start: Value) -> Value:
    """Put so many of the characters or bytes from ``start`` on."""
    if type(count) is not int or type(start) is not int or count < 0 or start < 1:
        raise PrimitiveFailed
    _put(vm, receiver, values, start - 1, min(start - 1 + count, len(values.data)))
    return receiver


def _put(vm: Machine, stream: Pointers, values: Value, start: int, stop: int) -> None:
    fields = stream.fields
    species, position = fields[COLLECTION].cls, fields[POSITION]
    if type(fields[COLLECTION]) is not Bytes or type(values) is not Bytes or position < 0 or start > stop:
        raise PrimitiveFailed
    if species is not values.cls and species.name + values.cls.name != "ByteStringByteSymbol":
        raise PrimitiveFailed
    end = position + stop - start
    if end > fields[WRITE_LIMIT]:
        _make_room(vm, stream, end)
    collection = fields[COLLECTION]
    if end > len(collection.data):
        raise PrimitiveFailed
    collection.data[position:end] = values.data[start:stop]
    fields[POSITION] = end


def _make_room(vm: Machine, stream: Pointers, end: int) -> None:
    """Let the stream write into a larger copy of its collection, with room up to an end and then some."""
    fields = stream.fields
    collection, position = fields[COLLECTION], fields[POSITION]
    size = len(_storage(collection))
    more = max(size, end - position + 20)
    if stream.cls.name not in WRITERS or position < 0 or size + more > MOST_ELEMENTS:
        raise PrimitiveFailed
    if type(collection) is Bytes:
        fields[COLLECTION] = Bytes(collection.cls, bytearray(collection.data) + bytes(more))
    else:
        fields[COLLECTION] = vm.array([*collection.fields, *[None] * more])
    fields[WRITE_LIMIT] = size + more


def _storage(collection: Value) -> Sequence[Value]:
    """What holds the elements of a string of bytes, byte array or array that can be written to."""
    name = collection.cls.name
    if name == "Array":
        elements: Sequence[Value] = collection.fields
    elif name in ("ByteString", "ByteArray"):
        elements = collection.data
    else:
        raise PrimitiveFailed
    return elements
