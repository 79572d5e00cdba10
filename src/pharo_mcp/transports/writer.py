"""Writing that nobody waits for."""

import os
from collections.abc import Callable
from queue import SimpleQueue
from threading import Condition, Thread

BACKLOG_LIMIT = 16 * 1024 * 1024
"""Bytes that may wait for a peer that reads slowly before no more of its requests are read."""

MEMORY_LIMIT = 32 * 1024 * 1024
"""Bytes that may wait for a peer, with the answers to what was read before; then it is given up."""

WRITE_SIZE = 65536  # bytes; small enough that a slow reader shows as progress

DOES_NOT_READ = "it does not read"

WATCH_MILLISECONDS = 250


class LineWriter:
    """Writes lines to a descriptor in a thread of its own, whole and in order; closes it at the end.

    A peer that stops reading blocks this thread only.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lines: SimpleQueue[bytes | None] = SimpleQueue()
        self._backlog = 0
        self._failure: str | None = None
        self._lost = False
        self._changed = Condition()
        self._thread = Thread(target=self._run, name="writer", daemon=True)

    def start(self, failed: Callable[[str], None]) -> None:
        """Begin to write; `failed` is told the first failure, and all that follows is dropped."""
        self._failed = failed
        self._thread.start()

    def put(self, line: bytes) -> None:
        """Leave a line to be written; too much of it, and the peer counts as one that does not read."""
        if self._backlog > MEMORY_LIMIT:
            self._break(DOES_NOT_READ)
        if self._failure is not None:
            self._lost = True
            return
        self._add_to_backlog(len(line))
        self._lines.put(line)

    def wait_for_room(self) -> None:
        """Wait until the peer has read enough of what waits for it."""
        with self._changed:
            self._changed.wait_for(lambda: self._backlog <= BACKLOG_LIMIT)

    def close(self, patience: float) -> str | None:
        """Write what is left and end; give up after `patience` seconds without progress.

        Answers why not all was written; None if it was.
        """
        self._lines.put(None)
        left = None
        while self._thread.is_alive() and left != self._backlog:
            left = self._backlog
            self._thread.join(patience)
        if self._thread.is_alive():
            return DOES_NOT_READ
        return self._failure if self._lost else None

    def watch(self) -> None:
        """Notice a peer that is gone even while there is nothing to write, where the system can tell."""
        import select  # only needed at the end of a conversation

        if not hasattr(select, "poll"):
            return
        poll = select.poll()
        poll.register(self._descriptor, 0)  # errors are always told
        # Not for ever: while it is watched, the system keeps a descriptor open that we have closed.
        while self._thread.is_alive():
            if poll.poll(WATCH_MILLISECONDS):
                self._break("nobody reads any more")
                return

    def _break(self, reason: str) -> None:
        with self._changed:
            known, self._failure = self._failure, self._failure or reason
        if known is None:
            self._failed(reason)

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
                self._break(error.strerror or str(error))
        self._lost = True
        return len(piece)
