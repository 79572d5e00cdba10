"""A transport over two file descriptors."""

import os
from collections.abc import Callable
from threading import Thread

from pharo_mcp.jsonrpc import Id, MessageReader

from .transport import ClientGone, EndOfInput, TransportEvent
from .writer import LineWriter

READ_SIZE = 65536  # bytes; the capacity of a pipe


class PipeTransport:
    """Reads one descriptor and writes another, each in a daemon thread; owns and closes both.

    The threads are daemons because a read cannot be interrupted and must not keep the process running.
    """

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming = incoming
        self._writer = LineWriter(outgoing)

    def start(self, deliver: Callable[[TransportEvent], None]) -> None:
        """See Transport."""
        self._writer.start(lambda reason: deliver(ClientGone(reason)))
        Thread(target=self._read, args=[deliver], name="reader", daemon=True).start()

    def send(self, line: bytes, related: Id | None = None) -> None:
        """See Transport."""
        self._writer.put(line)

    def after_writing(self, action: Callable[[], None]) -> None:
        """Run an action, which must not block, after the lines that were sent so far have been written."""
        self._writer.after_writing(action)

    def close(self, timeout: float) -> str | None:
        """See Transport."""
        return self._writer.close(timeout)

    def _read(self, deliver: Callable[[TransportEvent], None]) -> None:
        reader = MessageReader()
        try:
            while received := self._receive():
                for event in reader.feed(received):
                    deliver(event)
                self._writer.wait_for_room()
            for event in reader.close():
                deliver(event)
        finally:
            # Deliver this in any case: otherwise the receiver would wait for a reader that has ended.
            deliver(EndOfInput())
            os.close(self._incoming)
        # The peer may have finished sending, or it may have died: then its requests need no answer.
        self._writer.watch()

    def _receive(self) -> bytes:
        # Read bytes: text mode would split lines at a lone carriage return.
        try:
            return os.read(self._incoming, READ_SIZE)
        except OSError:  # for example, a terminal that was closed
            return b""
