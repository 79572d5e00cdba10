"""A conversation inside one process, byte for byte as over a pipe."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

from pharo_mcp.jsonrpc import MessageReader

from .transport import ClientGone, EndOfInput, Event


class MemoryPipe:
    """Bytes on their way from one end to the other; None is their end."""

    def __init__(self) -> None:
        self.pieces: SimpleQueue[bytes | None] = SimpleQueue()
        self.is_read = True


class MemoryTransport:
    """One end of a pair: what is sent here, any bytes at all, is read by the other."""

    def __init__(self, incoming: MemoryPipe, outgoing: MemoryPipe) -> None:
        self._incoming = incoming
        self._outgoing = outgoing

    def start(self, deliver: Callable[[Event], None]) -> None:
        """See Transport."""
        self._deliver = deliver
        Thread(target=self._read, name="reader", daemon=True).start()

    def send(self, line: bytes) -> None:
        """See Transport."""
        if self._outgoing.is_read:
            self._outgoing.pieces.put(line)
        else:
            self._deliver(ClientGone("the other end does not read any more"))

    def close(self, patience: float = 0) -> str | None:
        """See Transport."""
        self._outgoing.pieces.put(None)
        return None

    def vanish(self) -> None:
        """End like a process that is killed: nothing more is sent, nothing more is read."""
        self._incoming.is_read = False
        self.close()

    def _read(self) -> None:
        reader = MessageReader()
        while (piece := self._incoming.pieces.get()) is not None:
            for event in reader.feed(piece):
                self._deliver(event)
        for event in reader.close():
            self._deliver(event)
        self._deliver(EndOfInput())


def memory_pair() -> tuple[MemoryTransport, MemoryTransport]:
    """Two ends that talk to each other."""
    there, back = MemoryPipe(), MemoryPipe()
    return MemoryTransport(back, there), MemoryTransport(there, back)
