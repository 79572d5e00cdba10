"""Writing in the background."""

import os
from collections.abc import Callable
from queue import SimpleQueue
from stat import S_ISFIFO
from threading import Condition, Thread

from pharo_mcp.times import READER_CHECK_MILLISECONDS

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
