"""Streams over sockets: what their buffers hold, and filling and emptying these without waiting.

Where one would have to wait, or the connection has ended, a primitive fails and the Smalltalk code goes on.
"""

from __future__ import annotations

from contextlib import suppress

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import Bytes, Value
from pharo_practice.primitives.arguments import fields_of
from pharo_practice.primitives.buffers import READ_POINTER, WRITE_POINTER
from pharo_practice.primitives.connections import Connection, Status
from pharo_practice.primitives.sockets import find

SOCKET_STREAMS = ("ZdcSocketStream", "ZdcOptimizedSocketStream", "ZdcSimpleSocketStream")

SOCKET, READ_BUFFER, WRITE_BUFFER = range(3)
"""The fields of these streams that are used here."""

HANDLE = 1
"""The field of a Socket."""


class StreamBuffer:
    """The buffer in a field of a socket's stream: its bytes, and its fields with the pointers into them."""

    __slots__ = ("bytes", "fields")

    def __init__(self, stream: Value, field: int) -> None:
        fields = fields_of(fields_of(stream, *SOCKET_STREAMS)[field], "ZdcIOBuffer")
        buffer, start, stop = fields[: WRITE_POINTER + 1]
        if type(buffer) is not Bytes or type(buffer.data) is not bytearray:
            raise PrimitiveFailed
        if not type(start) is type(stop) is int or not 0 <= start <= stop <= len(buffer.data):
            raise PrimitiveFailed
        self.fields = fields
        self.bytes = buffer.data

    def unread(self, vm: Machine) -> bytes:
        """A copy of the bytes that were written and not read yet."""
        start, stop = self.fields[READ_POINTER], self.fields[WRITE_POINTER]
        vm.limits.reserve(stop - start)
        return bytes(self.bytes[start:stop])

    def skip(self, count: int) -> None:
        """So many bytes were read."""
        self.fields[READ_POINTER] += count

    def write(self, data: bytes) -> None:
        """Append bytes, if there is room for them."""
        start = self.fields[WRITE_POINTER]
        end = start + len(data)
        if end > len(self.bytes):
            raise PrimitiveFailed
        self.bytes[start:end] = data
        self.fields[WRITE_POINTER] = end

    def compact(self) -> None:
        """Move what is unread to the beginning."""
        start, stop = self.fields[READ_POINTER], self.fields[WRITE_POINTER]
        if start:
            self.bytes[: stop - start] = self.bytes[start:stop]
            self.fields[READ_POINTER : WRITE_POINTER + 1] = [0, stop - start]


def _connected(stream: Value) -> Connection:
    """The connection of a socket's stream, if it has not ended."""
    connection = find(fields_of(fields_of(stream, *SOCKET_STREAMS)[SOCKET], "Socket")[HANDLE])
    if connection.status() is not Status.CONNECTED:
        raise PrimitiveFailed
    return connection


@primitive("socketStreamFill")
def fill(_vm: Machine, receiver: Value) -> Value:
    """Receive what has arrived into the buffer for reading, after what is unread there."""
    buffer, connection = StreamBuffer(receiver, READ_BUFFER), _connected(receiver)
    buffer.compact()
    start = buffer.fields[WRITE_POINTER]
    with suppress(OSError):  # there is nothing yet, or never will be
        buffer.fields[WRITE_POINTER] += connection.socket.recv_into(memoryview(buffer.bytes)[start:])
    return receiver


@primitive("socketStreamFlush")
def flush(_vm: Machine, receiver: Value) -> Value:
    """Send the buffer for writing; if the operating system takes only a part, that part is not sent again."""
    buffer = StreamBuffer(receiver, WRITE_BUFFER)
    start, stop = buffer.fields[READ_POINTER], buffer.fields[WRITE_POINTER]
    if start < stop:
        try:
            buffer.skip(_connected(receiver).socket.send(memoryview(buffer.bytes)[start:stop]))
        except OSError:
            raise PrimitiveFailed from None
        if buffer.fields[READ_POINTER] < stop:
            raise PrimitiveFailed
        buffer.fields[READ_POINTER : WRITE_POINTER + 1] = [0, 0]
    return receiver
