"""Buffers of sockets: the bytes between a read pointer and a write pointer."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.object_memory import is_read_only
from pharo_practice.model.objects import Bytes, Pointers, Value

BUFFER, READ_POINTER, WRITE_POINTER = range(3)


def _is_buffer(value: Pointers) -> bool:
    match value.fields[:3]:
        case [Bytes() as buffer, int(), int()]:
            return not is_read_only(buffer) and not is_read_only(value)
    return False


Buffer: TypeAlias = Annotated[Pointers, _is_buffer]


@primitive("bufferIsEmpty")
def is_empty(_vm: Machine, receiver: Buffer) -> bool:
    """Whether all was read."""
    return bool(receiver.fields[READ_POINTER] == receiver.fields[WRITE_POINTER])


@primitive("bufferRoom")
def room(_vm: Machine, receiver: Buffer) -> int:
    """How many bytes can be written."""
    size: int = len(receiver.fields[BUFFER].data)
    written: int = receiver.fields[WRITE_POINTER]
    return size - written


@primitive("bufferAdvanceRead")
def advance_read(_vm: Machine, receiver: Buffer, count: int) -> Pointers:
    """Leave out bytes that were read in another way."""
    if type(count) is not int:
        raise PrimitiveFailed
    receiver.fields[READ_POINTER] += count
    return receiver


@primitive("bufferPeek")
def peek(_vm: Machine, receiver: Buffer) -> int:
    """The next byte, which stays the next one."""
    buffer, start, stop = receiver.fields
    if not 0 <= start < stop <= len(buffer.data):
        raise PrimitiveFailed
    byte: int = buffer.data[start]
    return byte


@primitive("bufferNextUpTo")
def next_up_to(vm: Machine, receiver: Buffer, byte: int) -> Bytes:
    """Read up to and including the next occurrence of a byte, or all there is."""
    buffer, start, stop = receiver.fields
    if type(byte) is not int or not 0 <= start <= stop <= len(buffer.data):
        raise PrimitiveFailed
    vm.limits.reserve(stop - start)
    found = buffer.data.find(byte, start, stop)
    end = stop if found < 0 else found + 1
    receiver.fields[READ_POINTER] = end
    return Bytes(vm.classes["ByteArray"], bytearray(buffer.data[start:end]))


@primitive("bufferPutPart")
def put_part(vm: Machine, receiver: Buffer, count: int, values: Value, offset: int) -> Pointers:
    """Write a number of bytes or characters from an index on, if there is room."""
    if type(values) is not Bytes or not type(count) is type(offset) is int:
        raise PrimitiveFailed
    buffer, _, start = receiver.fields
    part = values.data[offset - 1 : offset - 1 + count]
    if offset < 1 or len(part) != count or not 0 <= start <= len(buffer.data) - count:
        raise PrimitiveFailed
    vm.limits.reserve(count)
    buffer.data[start : start + count] = part
    receiver.fields[WRITE_POINTER] = start + count
    return receiver
