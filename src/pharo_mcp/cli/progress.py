"""Progress of long work, in one line of a terminal; elsewhere nothing is shown."""

import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Event, Lock, Thread
from time import monotonic

from pharo_mcp.times import PROGRESS_SECONDS

CLEAR = "\r\033[K"


class Progress:
    """A line on standard error that each report overwrites.

    A terminal that cannot do that (`TERM=dumb`) shows the title once.
    """

    def __init__(self, title: str) -> None:
        self._title = title
        self._lock = Lock()
        self.overwrites = sys.stderr.isatty() and os.environ.get("TERM", "dumb") != "dumb"
        self._is_shown = False
        if sys.stderr.isatty() and not self.overwrites and title:
            self._write(f"{title} ...\n")

    def show(self, text: str) -> None:
        """Show how far the work is."""
        if self.overwrites:
            line = " ".join(f"{self._title} {text}".split())
            with self._lock:
                self._write(f"{CLEAR}{line[: shutil.get_terminal_size().columns - 1]}")
                self._is_shown = True

    def clear(self) -> None:
        """Make room for other output."""
        with self._lock:
            if self._is_shown:
                self._write(CLEAR)
                self._is_shown = False

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


@contextmanager
def elapsed(title: str) -> Iterator[Progress]:
    """Show how long the block takes, second by second, and clear the line at its end."""
    progress, done, start = Progress(title), Event(), monotonic()

    def tick() -> None:
        while not done.is_set():
            progress.show(f"{monotonic() - start:.0f} s")
            done.wait(PROGRESS_SECONDS)

    thread = Thread(target=tick, name="progress", daemon=True)
    thread.start()
    try:
        yield progress
    finally:
        done.set()
        thread.join()
        progress.clear()
