"""TCP sockets: never blocking; a semaphore signals when one is ready.

A socket's handle in Smalltalk is its file descriptor.
"""

from __future__ import annotations

import contextlib
import errno
import os
import selectors
import socket
from enum import IntEnum

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import Primitive, PrimitiveFailed
from pharo_practice.model.object_memory import text_of
from pharo_practice.model.objects import Bytes, Value
from pharo_practice.primitives.arguments import integer
from pharo_practice.primitives.processes import is_semaphore
from pharo_practice.primitives.system_calls import system_call

POLLER: type[selectors.BaseSelector] = getattr(selectors, "PollSelector", selectors.SelectSelector)


class Status(IntEnum):
    """The states of a connection, numbered as in Pharo."""

    INVALID = -1
    UNCONNECTED = 0
    WAITING = 1
    CONNECTED = 2
    OTHER_END_CLOSED = 3
    THIS_END_CLOSED = 4


class Connection:
    """A socket, and the part of its state that the operating system does not report."""

    __slots__ = ("is_connecting", "is_listening", "is_open", "socket")

    def __init__(self, raw: socket.socket) -> None:
        raw.setblocking(False)
        self.socket = raw
        self.is_connecting = False
        self.is_listening = False
        self.is_open = False
        """Whether it was connected and not yet closed by this end."""

    def status(self) -> Status:
        """The current state of the connection."""
        if self.is_listening:
            return Status.CONNECTED if is_ready(self.socket, selectors.EVENT_READ) else Status.WAITING
        if self.is_connecting:
            return self._settle()
        return self._liveness() if self.is_open else Status.UNCONNECTED

    def is_writable(self) -> bool:
        """Whether the operating system accepts bytes now."""
        return is_ready(self.socket, selectors.EVENT_WRITE)

    def _settle(self) -> Status:
        if not is_ready(self.socket, selectors.EVENT_WRITE):
            return Status.WAITING
        self.is_connecting = False
        self.is_open = self.socket.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0
        return Status.CONNECTED if self.is_open else Status.UNCONNECTED

    def _liveness(self) -> Status:
        try:
            return Status.CONNECTED if self.socket.recv(1, socket.MSG_PEEK) else Status.OTHER_END_CLOSED
        except BlockingIOError:
            return Status.CONNECTED
        except OSError:
            return Status.OTHER_END_CLOSED


def is_ready(raw: socket.socket, event: int) -> bool:
    """Whether an operation on the socket would return at once, even by failing."""
    with POLLER() as poll:
        poll.register(raw, event)
        return bool(poll.select(0))


_connections: dict[int, Connection] = {}


def find(handle: Value) -> Connection:
    """The connection behind a handle.

    Raises:
        OSError: If there is none.
    """
    connection = _connections.get(handle) if type(handle) is int else None
    if connection is None:
        raise OSError(errno.EBADF, "no such socket")
    return connection


def adopt(raw: socket.socket) -> Connection:
    """Give a new socket its handle."""
    connection = _connections[raw.fileno()] = Connection(raw)
    return connection


def dotted(address: Value) -> str:
    """A byte array as an IPv4 address."""
    if not isinstance(address, Bytes) or len(address.data) != 4:
        raise PrimitiveFailed
    return ".".join(str(byte) for byte in address.data)


def window(collection: Value, start: Value, count: Value) -> memoryview:
    """The bytes that an operation reads or writes."""
    if not isinstance(collection, Bytes) or type(start) is not int or type(count) is not int:
        raise PrimitiveFailed
    if start < 1 or count < 0 or start - 1 + count > len(collection.data):
        raise PrimitiveFailed
    return memoryview(collection.data)[start - 1 : start - 1 + count]


SOCKETS: dict[str, Primitive] = {
    "socketSendDone": lambda _vm, _receiver, handle: find(handle).is_writable(),
    "socketWatchForReading": lambda vm, receiver, handle, semaphore: watch(
        vm, receiver, handle, "read", semaphore
    ),
    "socketWatchForWriting": lambda vm, receiver, handle, semaphore: watch(
        vm, receiver, handle, "write", semaphore
    ),
    "socketLocalAddress": lambda vm, _receiver, handle: _address(vm, find(handle).socket.getsockname()[0]),
    "socketLocalPort": lambda _vm, _receiver, handle: find(handle).socket.getsockname()[1],
    "socketRemoteAddress": lambda vm, _receiver, handle: _address(vm, _peer(find(handle))[0]),
    "socketRemotePort": lambda _vm, _receiver, handle: _peer(find(handle))[1],
}
"""What is asked about a socket, or done with it, in one step."""

for _name, _function in SOCKETS.items():
    system_call(_name)(_function)


@system_call("socketCreate")
def create(vm: Machine, receiver: Value) -> Value:
    """A new TCP socket."""
    return adopt(socket.socket(socket.AF_INET, socket.SOCK_STREAM)).socket.fileno()


@system_call("socketBind")
def bind(vm: Machine, receiver: Value, handle: Value, address: Value, port: Value) -> Value:
    """Choose the local address; port 0 is chosen by the system."""
    connection = find(handle)
    connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    connection.socket.bind((dotted(address), port))
    return receiver


@system_call("socketListen")
def listen(vm: Machine, receiver: Value, handle: Value, backlog: Value) -> Value:
    """Accept connections from now on."""
    connection = find(handle)
    connection.socket.listen(integer(backlog))
    connection.is_listening = True
    return receiver


@system_call("socketConnect")
def connect(vm: Machine, receiver: Value, handle: Value, address: Value, port: Value) -> Value:
    """Begin to connect."""
    connection = find(handle)
    code = connection.socket.connect_ex((dotted(address), integer(port)))
    if code not in (0, errno.EINPROGRESS):
        raise OSError(code, os.strerror(code))
    connection.is_connecting = True
    return receiver


@system_call("socketAccept")
def accept(vm: Machine, receiver: Value, handle: Value) -> Value:
    """Accept the next waiting connection."""
    raw, _ = find(handle).socket.accept()
    raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    connection = adopt(raw)
    connection.is_open = True
    return raw.fileno()


@system_call("socketReceive")
def receive(vm: Machine, receiver: Value, handle: Value, into: Value, start: Value, count: Value) -> Value:
    """Receive the available bytes; 0 if there are none yet, or at the end."""
    connection = find(handle)
    try:
        return connection.socket.recv_into(window(into, start, count))
    except OSError:
        return 0


@system_call("socketSend")
def send(vm: Machine, receiver: Value, handle: Value, data: Value, start: Value, count: Value) -> Value:
    """Send as many bytes as the operating system accepts; answer how many."""
    connection = find(handle)
    try:
        return connection.socket.send(window(data, start, count))
    except BlockingIOError:
        return 0


@system_call("socketSetOption")
def set_option(vm: Machine, receiver: Value, handle: Value, name: Value, value: Value) -> Value:
    """Set an option that servers need; others are ignored, as on a system without them."""
    connection = find(handle)
    if text_of(name) == "TCP_NODELAY":
        if not isinstance(value, int | float):
            raise PrimitiveFailed
        connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, int(value))
    return receiver


@system_call("socketStatus")
def status(vm: Machine, receiver: Value, handle: Value) -> Value:
    """One of Pharo's numbers for the state of a connection."""
    connection = _connections.get(handle) if type(handle) is int else None
    return int(Status.INVALID if connection is None else connection.status())


@system_call("socketDataAvailable")
def data_available(vm: Machine, receiver: Value, handle: Value) -> Value:
    """Whether there are bytes to read."""
    try:
        return bool(find(handle).socket.recv(1, socket.MSG_PEEK))
    except OSError:
        return False


def watch(vm: Machine, receiver: Value, handle: Value, kind: str, semaphore: Value) -> Value:
    """Have the machine signal the semaphore."""
    connection = find(handle)
    if not is_semaphore(semaphore):
        raise PrimitiveFailed
    vm.timers_and_io.watch(handle, "write" if connection.is_connecting else kind, semaphore)
    return receiver


@system_call("socketAbort")
@system_call("socketClose")
def close(vm: Machine, receiver: Value, handle: Value) -> Value:
    """Shut the connection down at once; what was sent still arrives."""
    connection = find(handle)
    connection.is_open = False
    with contextlib.suppress(OSError):
        connection.socket.shutdown(socket.SHUT_RDWR)
    return receiver


@system_call("socketDestroy")
def destroy(vm: Machine, receiver: Value, handle: Value) -> Value:
    """Close the socket."""
    connection = find(handle)
    vm.timers_and_io.unwatch(handle)
    del _connections[handle]
    connection.socket.close()
    return receiver


def destroy_all(vm: Machine) -> None:
    """Close all sockets at the end of a machine, in a process that continues."""
    for handle in list(_connections):
        destroy(vm, None, handle)


def _peer(connection: Connection) -> tuple[str, int]:
    try:
        host, port = connection.socket.getpeername()
    except OSError:
        return "0.0.0.0", 0  # noqa: S104
    return host, port


def _address(vm: Machine, text: str) -> Bytes:
    return Bytes(vm.classes["ByteArray"], bytearray(socket.inet_aton(text)))


# the buffer of a stream over a socket
