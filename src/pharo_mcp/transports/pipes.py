"""A transport over two file descriptors."""

import os
from collections.abc import Callable, Iterator
from threading import Thread

from pharo_mcp.jsonrpc.messages import BadLine, Id, Message
from pharo_mcp.jsonrpc.reader import MessageReader

from .handover import Handover
from .transport import ClientGone, EndOfInput, TransportEvent, Work
from .writer import LineWriter

READ_SIZE = 65536  # bytes; the capacity of a pipe


class ReadingThreads:
    """Threads of which one reads and delivers messages, while others may be doing what these led to.

    The thread that has read a request runs it, and no other has a part in it, unless it takes long: then
    another thread reads on.
    """

    def __init__(self, messages: Iterator[Message | BadLine], end: Callable[[], None]) -> None:
        self._messages = messages
        self._end = end
        self._handover: Handover | None = None

    def start(self, deliver: Callable[[TransportEvent], Work | None]) -> None:
        """Start to read and deliver, and to do the work that `deliver` returns; at last EndOfInput."""
        self.deliver = deliver
        Thread(target=self._read, name="reader", daemon=True).start()

    def _read(self) -> None:
        while work := self._read_work():
            if not self._do(work):
                return

    def _read_work(self) -> Work | None:
        """Deliver messages until one leads to work; None at the end."""
        work = None
        try:
            for message in self._messages:
                if work := self.deliver(message):
                    break
        finally:
            if not work:
                self._deliver_end()
        return work

    def _deliver_end(self) -> None:
        # In any case: otherwise the receiver would wait for a reader that has ended.
        self.deliver(EndOfInput())
        if self._handover:
            self._handover.close()
        self._end()

    def _do(self, work: Work) -> bool:
        """Do some work; whether this thread is to read on afterwards."""
        if self._handover is None:
            self._handover = Handover(self._read)
        return self._handover.do(work)


class PipeTransport:
    """Reads one descriptor and writes another in threads of its own; owns and closes both.

    The threads are daemons because a read cannot be interrupted and must not keep the process running.
    """

    def __init__(self, incoming: int, outgoing: int) -> None:
        self._incoming = incoming
        self._writer = LineWriter(outgoing)
        self._threads = ReadingThreads(self._messages(), self._end)

    def start(self, deliver: Callable[[TransportEvent], None]) -> None:
        """See Transport."""
        self._writer.start(lambda reason: deliver(ClientGone(reason)))
        self._threads.start(deliver)

    def lend_threads(self, deliver: Callable[[TransportEvent], Work | None]) -> None:
        """See Transport."""
        self._threads.deliver = deliver

    def send(self, line: bytes, related: Id | None = None) -> None:
        """See Transport."""
        self._writer.put(line)

    def after_writing(self, action: Callable[[], None]) -> None:
        """Run an action, which must not block, after the lines that were sent so far have been written."""
        self._writer.after_writing(action)

    def close(self, timeout: float) -> str | None:
        """See Transport."""
        return self._writer.close(timeout)

    def _messages(self) -> Iterator[Message | BadLine]:
        reader = MessageReader()
        while received := self._receive():
            yield from reader.feed(received)
            self._writer.wait_for_room()
        yield from reader.close()

    def _receive(self) -> bytes:
        # Read bytes: text mode would split lines at a lone carriage return.
        try:
            return os.read(self._incoming, READ_SIZE)
        except OSError:  # for example, a terminal that was closed
            return b""

    def _end(self) -> None:
        os.close(self._incoming)
        # The peer may have finished sending, or it may have died: then its requests need no answer.
        self._writer.watch()
