"""Standard error, which a person may read or not: what is written to it never waits for a reader.

`python -m pharo_mcp.standard_error MODULE ARGUMENTS` runs a module like that.
"""

import os
import select
import sys
from threading import Condition, Thread
from typing import Self

LAST_OUTPUT_SECONDS = 1.0
"""The wait at the end for a slow reader of standard error."""

STANDARD_STREAMS = (0, 1, 2)
STANDARD_ERROR = 2
LIMIT = 64 * 1024
"""Bytes that are kept for a reader that is slower than the writers."""
READ_SIZE, WRITE_SIZE = 65536, 4096
DROPPED = b"\n[pharo-mcp: %d bytes of output were dropped here, because nothing read standard error]\n"


class Relay:
    """Takes what is written to a descriptor during the block, and writes it there in the background.

    That includes what child processes write. With more than LIMIT bytes pending, the oldest are dropped,
    whole lines if possible, and their number is written in their place. The end of the block waits up to
    LAST_OUTPUT_SECONDS for the reader; if it does not read, what is pending and all that follows is dropped.
    `copies` are descriptors that the block makes copies of this one; they lead nowhere after it.

    A terminal is left as it is: a person can stop its output, and continue it. So is a process in which a
    standard stream is closed, since the pipe could become that stream.
    """

    def __init__(self, *copies: int, descriptor: int = STANDARD_ERROR) -> None:
        self._descriptors = (descriptor, *copies)
        self._pending = bytearray()
        self._dropped = 0
        self._ended = False
        self._changed = Condition()
        self._writer: Thread | None = None

    def __enter__(self) -> Self:
        descriptor = self._descriptors[0]
        if all(map(_is_open, STANDARD_STREAMS)) and not os.isatty(descriptor):
            self._reader = os.dup(descriptor)
            incoming, outgoing = os.pipe()
            os.dup2(outgoing, descriptor)
            os.close(outgoing)
            self._writer = Thread(target=self._write, name="standard error", daemon=True)
            self._writer.start()
            Thread(target=self._collect, args=[incoming], name="output", daemon=True).start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._writer is None:
            return
        sys.stderr.flush()
        null = os.open(os.devnull, os.O_WRONLY)
        for descriptor in self._descriptors:
            os.dup2(null, descriptor)  # ends the pipe, unless a child process still writes to it
        os.close(null)
        self._writer.join(LAST_OUTPUT_SECONDS)
        if not self._writer.is_alive() and _has_room(self._reader):
            os.dup2(self._reader, self._descriptors[0])

    def _collect(self, incoming: int) -> None:
        while received := os.read(incoming, READ_SIZE):
            with self._changed:
                self._pending += received
                excess = len(self._pending) - LIMIT
                if excess > 0:
                    self._drop(self._pending.find(b"\n", excess - 1) + 1 or excess)
                self._changed.notify()
        os.close(incoming)
        with self._changed:
            self._ended = True
            self._changed.notify()

    def _drop(self, size: int) -> None:
        del self._pending[:size]
        self._dropped += size

    def _write(self) -> None:
        while piece := self._next_piece():
            try:
                while piece:
                    piece = piece[os.write(self._reader, piece) :]
            except OSError:  # the reader has closed its end
                continue

    def _next_piece(self) -> bytes:
        """What to write next; nothing at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._pending or self._ended)
            notice = DROPPED % self._dropped if self._dropped else b""
            self._dropped = 0
            piece = bytes(self._pending[:WRITE_SIZE])
            del self._pending[:WRITE_SIZE]
            return notice + piece


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _has_room(descriptor: int) -> bool:
    """Whether a few lines can be written without waiting, if the system can tell."""
    try:
        return bool(select.select([], [descriptor], [], 0)[1])
    except OSError:  # Windows selects only sockets
        return True


if __name__ == "__main__":
    from runpy import run_module

    del sys.argv[0]
    with Relay():
        run_module(sys.argv[0], run_name="__main__", alter_sys=True)
