"""Streams over strings, byte arrays and arrays: one element, or many, in one step.

Whatever is unusual (growing, the end, other collections, elements that do not fit) fails, and the Smalltalk
code of the method does it.
"""

from __future__ import annotations

from pharo_standin.machine import Machine
from pharo_standin.objects import Bytes, Character, Pointers, Value, character
from pharo_standin.primitive import PrimitiveFailed, primitive
from pharo_standin.primitives.collections import BYTE_STRINGS, comparable

# the fields of a PositionableStream and a WriteStream that are used here
COLLECTION, POSITION, READ_LIMIT, WRITE_LIMIT = range(4)


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


@primitive("streamNextPut")
def stream_next_put(_vm: Machine, receiver: Pointers, value: Value) -> Value:
    """Put an element where there is still room."""
    fields = receiver.fields
    collection, position = fields[COLLECTION], fields[POSITION]
    if not 0 <= position < fields[WRITE_LIMIT]:
        raise PrimitiveFailed
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
def stream_next_put_all(_vm: Machine, receiver: Pointers, values: Value) -> Value:
    """Put all characters of a string, or bytes of a byte array, where there is still room."""
    _put(receiver, values, 0, len(values.data))
    return values


@primitive("streamNextPutPart")
def stream_next_put_part(
    _vm: Machine, receiver: Pointers, count: Value, values: Value, start: Value
) -> Value:
    """Put so many of the characters or bytes from ``start`` on, where there is still room."""
    if type(count) is not int or type(start) is not int or count < 0 or start < 1:
        raise PrimitiveFailed
    _put(receiver, values, start - 1, min(start - 1 + count, len(values.data)))
    return receiver


def _put(stream: Pointers, values: Value, start: int, stop: int) -> None:
    collection, position = stream.fields[COLLECTION], stream.fields[POSITION]
    if type(collection) is not Bytes or type(values) is not Bytes or start > stop:
        raise PrimitiveFailed
    if collection.cls is not values.cls and collection.cls.name + values.cls.name != "ByteStringByteSymbol":
        raise PrimitiveFailed
    end = position + stop - start
    if position < 0 or end > stream.fields[WRITE_LIMIT] or end > len(collection.data):
        raise PrimitiveFailed
    collection.data[position:end] = values.data[start:stop]
    stream.fields[POSITION] = end
