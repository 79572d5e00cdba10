"""Transports over file descriptors, and standard input and output as one."""

import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from queue import SimpleQueue
from stat import S_ISFIFO
from threading import Condition, Lock, Semaphore, Thread
from time import sleep

from pharo_mcp.threads import Threads
from pharo_mcp.times import HANDOVER_SECONDS, READER_CHECK_MILLISECONDS

from .jsonrpc import BadLine, Id, Message, MessageReader
from .transport import ClientGone, EndOfInput, TransportEvent, Work


class Handover:
    """Lets another thread `read` when the one that reads has been at work for HANDOVER_SECONDS.

    To wake a thread takes a good part of a short call. So the one that watches over the time is not woken for
    each call: it looks at intervals, until there is no work any more.
    """

    def __init__(self, read: Callable[[], None]) -> None:
        self._read = read
        self._threads = Threads("reader")
        self._wake = Semaphore(0)
        self._is_open = True
        self._lock = Lock()  # held to change what follows
        self._begun = 0
        self._current: int | None = None  # the number of the work, while its thread is the one that reads
        self._rests = True
        with suppress(RuntimeError):  # no thread can be started: then reading waits for the work
            Thread(target=self._watch, name="handover", daemon=True).start()

    def do(self, work: Work) -> bool:
        """Do some work in the thread that reads; whether it still is the one, afterwards."""
        with self._lock:
            self._begun += 1
            number = self._current = self._begun
            rested, self._rests = self._rests, False
        if rested:
            self._wake.release()
        work()
        with self._lock:
            if self._current != number:
                return False
            self._current = None
            return True

    def close(self) -> None:
        """End the threads after what they do. The thread that reads calls this after its last work."""
        self._is_open = False
        self._wake.release()
        self._threads.close()

    def _watch(self) -> None:
        while self._is_open:
            self._wake.acquire()
            while not self._rests:
                self._look()

    def _look(self) -> None:
        begun = self._begun
        sleep(HANDOVER_SECONDS)
        with self._lock:
            if self._current == begun:
                with suppress(RuntimeError):  # as above, until one can be started
                    self._threads.run(self._read)
                    self._current = None
            self._rests = self._current is None and self._begun == begun


BACKLOG_LIMIT = 16 * 1024 * 1024
"""Bytes that may be pending for a slow reader before its requests are no longer read."""

MEMORY_LIMIT = 32 * 1024 * 1024
"""Bytes that may be pending, including answers to requests read before, until writing is given up."""

WRITE_SIZE = 65536  # bytes; small enough to notice the progress of a slow reader

STOPPED_READING = "the client stopped reading"

Poll = Callable[[int], object]
"""Asks for so many milliseconds whether something can be written; the answer is false if it cannot."""


class LineWriter:
    """Writes lines to a descriptor in a thread of its own, whole and in order; closes it at the end.

    A peer that stops reading blocks only that thread. A short line cannot block while a pipe has room, so the
    thread that puts it writes it: to wake another takes a twentieth of a short call. Lines are put by one
    thread at a time, which the caller sees to.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: SimpleQueue[bytes | Callable[[], None] | None] = SimpleQueue()
        self._backlog = 0
        self._failure: str | None = None
        self._lost = False
        self._room: Poll | None = None  # of a pipe, once the first line is written
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
        if self._has_room_for(line):
            self._write(memoryview(line))
            return
        self._add_to_backlog(len(line))
        self._lines.put(line)

    def after_writing(self, action: Callable[[], None]) -> None:
        """Run an action in the thread that writes, after the lines that were added so far."""
        self._lines.put(action)

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
        import select  # only needed at the end of a connection

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

    def _has_room_for(self, line: bytes) -> bool:
        """Whether a line can be written now, without waiting and after all lines before it."""
        if self._room is None or self._backlog:
            return False
        import select

        most: int = getattr(select, "PIPE_BUF", 0)  # what never blocks if there is room
        return len(line) <= most and bool(self._room(0))

    def _run(self) -> None:
        while (item := self._lines.get()) is not None:
            if callable(item):
                item()
            else:
                self._write_line(item)
            self._room = self._room or _poll_for_room(self._descriptor)
        self._room = None
        os.close(self._descriptor)

    def _write_line(self, line: bytes) -> None:
        rest = memoryview(line)
        while rest:
            written = self._write(rest[:WRITE_SIZE])
            rest = rest[written:]
            self._add_to_backlog(-written)

    def _write(self, piece: memoryview) -> int:
        if self._failure is None:
            try:
                return os.write(self._descriptor, piece)
            except OSError as error:
                self._fail(error.strerror or str(error))
        self._lost = True
        return len(piece)


def _poll_for_room(descriptor: int) -> Poll | None:
    """A function that asks whether a pipe has room; None for other descriptors, and on Windows."""
    import select  # here: the handshake need not wait for it

    make = getattr(select, "poll", None)
    if make is None or not S_ISFIFO(os.fstat(descriptor).st_mode):
        return None
    room = make()
    room.register(descriptor, select.POLLOUT)  # type: ignore[attr-defined, unused-ignore]
    ask: Poll = room.poll
    return ask


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
