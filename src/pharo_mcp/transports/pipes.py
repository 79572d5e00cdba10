"""A conversation over two file descriptors."""

import os
from collections.abc import Callable
from threading import Thread

from pharo_mcp.jsonrpc import MessageReader

from .transport import ClientGone, EndOfInput, Event
from .writer import LineWriter

READ_SIZE = 65536  # bytes; what a pipe holds


class PipeTransport:
    """Reads one descriptor and writes another, each in a daemon thread; owns and closes both.

    The threads are daemons because a read cannot be interrupted: the process must be able to end around them.
    """

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming = incoming
        self._writer = LineWriter(outgoing)

    def start(self, deliver: Callable[[Event], None]) -> None:
        """See Transport."""
        self._writer.start(lambda reason: deliver(ClientGone(reason)))
        Thread(target=self._read, args=[deliver], name="reader", daemon=True).start()

    def send(self, line: bytes) -> None:
        """See Transport."""
        self._writer.put(line)

    def close(self, patience: float) -> str | None:
        """See Transport."""
        return self._writer.close(patience)

    def _read(self, deliver: Callable[[Event], None]) -> None:
        reader = MessageReader()
        try:
            while received := self._receive():
                for event in reader.feed(received):
                    deliver(event)
                self._writer.wait_for_room()
            for event in reader.close():
                deliver(event)
        finally:
            # Whatever happened, nobody may wait for a reader that is gone.
            deliver(EndOfInput())
            os.close(self._incoming)
        # Has the peer said all it wanted, or did it die? Then nobody waits for what is in flight.
        self._writer.watch()

    def _receive(self) -> bytes:
        # Bytes as the system has them: text mode would split lines at a lone carriage return.
        try:
            return os.read(self._incoming, READ_SIZE)
        except OSError:  # a terminal that hung up, for one
            return b""
