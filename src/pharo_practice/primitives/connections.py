"""A TCP connection or listener, and the state it is in."""

from __future__ import annotations

import selectors
import socket
from enum import IntEnum

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
