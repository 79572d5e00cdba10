"""A transport within one process, which carries bytes as a pipe does."""

from collections.abc import Callable, Iterator
from queue import SimpleQueue

from pharo_mcp.wire.jsonrpc import BadLine, Id, Message, MessageReader
from pharo_mcp.wire.stdio import ReadingThreads
from pharo_mcp.wire.transport import ClientGone, TransportEvent, Work


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
        self._threads = ReadingThreads(self._messages(), self._end)

    def start(self, deliver: Callable[[TransportEvent], None]) -> None:
        """See Transport."""
        self._deliver = deliver
        self._threads.start(deliver)

    def lend_threads(self, deliver: Callable[[TransportEvent], Work | None]) -> None:
        """See Transport."""
        self._threads.deliver = deliver

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

    def _messages(self) -> Iterator[Message | BadLine]:
        reader = MessageReader()
        while (piece := self._incoming.pieces.get()) is not None:
            yield from reader.feed(piece)
        yield from reader.close()

    def _end(self) -> None:
        if not self._outgoing.is_read:
            self._deliver(ClientGone("the other end stopped reading"))


def memory_pair() -> tuple[MemoryTransport, MemoryTransport]:
    """Two connected ends."""
    forth, back = MemoryPipe(), MemoryPipe()
    return MemoryTransport(back, forth), MemoryTransport(forth, back)
