"""Transports carry whole messages between a client and a server: here over file descriptors.

`claim_stdio` makes that of standard input and output.
"""

import os
import select
from collections.abc import Callable
from queue import SimpleQueue
from threading import Condition, Thread
from typing import NamedTuple, Protocol

from .jsonrpc import BadLine, Id, Message, MessageReader

READER_CHECK_MILLISECONDS = 250
"""The interval at which a blocked write checks whether the client is still there."""


class EndOfInput(NamedTuple):
    """The peer has closed its output; it may still read."""


class ClientGone(NamedTuple):
    """Writing to the peer failed; its requests need no answer."""

    reason: str


TransportEvent = Message | BadLine | EndOfInput | ClientGone


class Transport(Protocol):
    """One end of a connection: receives messages and sends lines."""

    def start(self, deliver: Callable[[TransportEvent], None]) -> None:
        """Start to pass each event to `deliver`, in order; EndOfInput comes once, after all input.

        `deliver` is called from the transport's own threads and must not block.
        """

    def send(self, line: bytes, related: Id | None = None) -> None:
        """Send one line, including its newline, now or later; never blocks on the peer.

        A line that is no answer may be `related` to a request, by its id.
        """

    def close(self, timeout: float) -> str | None:
        """Deliver pending lines and close; give up after `timeout` seconds without progress.

        Returns why some lines were not delivered; None if all were.
        """


BACKLOG_LIMIT = 16 * 1024 * 1024
"""Bytes that may be pending for a slow reader before its requests are no longer read."""

MEMORY_LIMIT = 32 * 1024 * 1024
"""Bytes that may be pending, including answers to requests read before, until writing is given up."""

WRITE_SIZE = 65536  # bytes; small enough to notice the progress of a slow reader

STOPPED_READING = "the client stopped reading"


class LineWriter:
    """Writes lines to a descriptor in a thread of its own, whole and in order; closes it at the end.

    A peer that stops reading blocks only that thread. Lines are put by one thread at a time.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._backlog = 0
        self._failure: str | None = None
        self._lost = False
        self._changed = Condition()
        self._thread = Thread(target=self._run, name="writer", daemon=True)

    def start(self, on_failure: Callable[[str], None]) -> None:
        """Start to write. `on_failure` is called with the first failure; later lines are dropped."""
        self._on_failure = on_failure
        self._thread.start()

    def put(self, line: bytes) -> None:
        """Add a line to write. With too many bytes pending, the peer counts as one that stopped reading."""
        if self._backlog > MEMORY_LIMIT:
            self._fail(STOPPED_READING)
        if self._failure is not None:
            self._lost = True
            return
        self._add_to_backlog(len(line))
        self._lines.put(line)

    def wait_for_room(self) -> None:
        """Wait until the peer has read enough of the pending bytes."""
        with self._changed:
            self._changed.wait_for(lambda: self._backlog <= BACKLOG_LIMIT)

    def close(self, timeout: float) -> str | None:
        """Write the pending lines and end; give up after `timeout` seconds without progress.

        Returns why some lines were not written; None if all were.
        """
        self._lines.put(None)
        remaining = None
        while self._thread.is_alive() and remaining != self._backlog:
            remaining = self._backlog
            self._thread.join(timeout)
        if self._thread.is_alive():
            return STOPPED_READING
        return self._failure if self._lost else None

    def watch(self) -> None:
        """Detect that the peer has closed its end, even with nothing to write, if the system supports it."""
        if not hasattr(select, "poll"):
            return
        poll = select.poll()
        poll.register(self._descriptor, 0)  # errors are always reported
        # Wait in intervals: while a descriptor is polled, the system keeps it open after it was closed.
        while self._thread.is_alive():
            if poll.poll(READER_CHECK_MILLISECONDS):
                self._fail("the client closed the connection")
                return

    def _fail(self, reason: str) -> None:
        with self._changed:
            previous, self._failure = self._failure, self._failure or reason
        if previous is None:
            self._on_failure(reason)

    def _add_to_backlog(self, size: int) -> None:
        with self._changed:
            self._backlog += size
            self._changed.notify_all()

    def _run(self) -> None:
        while (line := self._lines.get()) is not None:
            rest = memoryview(line)
            while rest:
                written = self._write(rest[:WRITE_SIZE])
                rest = rest[written:]
                self._add_to_backlog(-written)
        os.close(self._descriptor)

    def _write(self, piece: memoryview) -> int:
        if self._failure is None:
            try:
                return os.write(self._descriptor, piece)
            except OSError as error:
                self._fail(error.strerror or str(error))
        self._lost = True
        return len(piece)


READ_SIZE = 65536  # bytes; the capacity of a pipe


def read_all(
    receive: Callable[[], bytes],
    deliver: Callable[[TransportEvent], None],
    before_next: Callable[[], None] = lambda: None,
) -> None:
    """Deliver the messages of what `receive` returns until that is empty, then EndOfInput."""
    reader = MessageReader()
    try:
        while received := receive():
            for message in reader.feed(received):
                deliver(message)
            before_next()
        for message in reader.close():
            deliver(message)
    finally:
        # In any case: otherwise the receiver would wait for a reader that has ended.
        deliver(EndOfInput())


class PipeTransport:
    """Reads one descriptor and writes another in threads of its own; owns and closes both.

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

    def close(self, timeout: float) -> str | None:
        """See Transport."""
        return self._writer.close(timeout)

    def _read(self, deliver: Callable[[TransportEvent], None]) -> None:
        try:
            read_all(self._receive, deliver, self._writer.wait_for_room)
        finally:
            os.close(self._incoming)
            # The peer may have finished sending, or it may have died: then its requests need no answer.
            self._writer.watch()

    def _receive(self) -> bytes:
        # Read bytes: text mode would split lines at a lone carriage return.
        try:
            return os.read(self._incoming, READ_SIZE)
        except OSError:  # for example, a terminal that was closed
            return b""


STREAMS = {0: "standard input", 1: "standard output"}


class NoClient(Exception):
    """This process has no client, or no longer; the message is the reason."""


def claim_stdio() -> PipeTransport:
    """Reserve descriptors 0 and 1 for the protocol.

    Afterwards all other output, including that of libraries and child processes, goes to standard error, and
    standard input is empty.

    Raises:
        NoClient: If one of them is closed.
    """
    closed = [name for descriptor, name in STREAMS.items() if not _is_open(descriptor)]
    if closed:
        raise NoClient(
            f"no MCP client is connected: {' and '.join(closed)} {'are' if closed[1:] else 'is'} closed. "
            "Let an MCP client start pharo-mcp"
        )
    if not _is_open(2):  # otherwise the next descriptor opened would become standard error
        _redirect_to_null(2, os.O_WRONLY)
    transport = PipeTransport(os.dup(0), os.dup(1))
    _redirect_to_null(0, os.O_RDONLY)
    os.dup2(2, 1)
    return transport


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _redirect_to_null(descriptor: int, flags: int) -> None:
    null = os.open(os.devnull, flags)
    if null != descriptor:
        os.dup2(null, descriptor)
        os.close(null)
