"""A transport within one process, which carries bytes as a pipe does."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Thread

from pharo_mcp.wire.jsonrpc import Id
from pharo_mcp.wire.transport import ClientGone, TransportEvent, read_all


class MemoryPipe:
    """Bytes on their way from one end to the other; None ends them."""

    def __init__(self) -> None:
        self.pieces: SimpleQueue[bytes | None] = SimpleQueue()
        self.is_read = True


class MemoryTransport:
    """One end of a pair: any bytes sent here are read by the other end."""

    def __init__(self, incoming: MemoryPipe, outgoing: MemoryPipe) -> None:
        self._incoming = incoming
        self._outgoing = outgoing

    def start(self, deliver: Callable[[TransportEvent], None]) -> None:
        """See Transport."""
        self._deliver = deliver
        Thread(target=self._read, name="reader", daemon=True).start()

    def send(self, line: bytes, related: Id | None = None) -> None:
        """See Transport."""
        if self._outgoing.is_read:
            self._outgoing.pieces.put(line)
        else:
            self._deliver(ClientGone("the other end stopped reading"))

    def close(self, timeout: float = 0) -> str | None:
        """See Transport."""
        self._outgoing.pieces.put(None)
        return None

    def vanish(self) -> None:
        """End as a killed process does: send and read nothing more."""
        self._incoming.is_read = False
        self.close()

    def _read(self) -> None:
        read_all(lambda: self._incoming.pieces.get() or b"", self._deliver)
        if not self._outgoing.is_read:
            self._deliver(ClientGone("the other end stopped reading"))


def memory_pair() -> tuple[MemoryTransport, MemoryTransport]:
    """Two connected ends."""
    forth, back = MemoryPipe(), MemoryPipe()
    return MemoryTransport(back, forth), MemoryTransport(forth, back)
