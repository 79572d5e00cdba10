"""Requests under way, and how each ends at its deadline or when nobody wants it any more.

httpx bounds each read, not the whole: an answer that drips in byte by byte would never end. And nothing in
it ends a request from another thread. Cutting the connection does both.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Condition, Lock, Thread
from time import monotonic

Cut = Callable[[], None]
"""Ends a request by cutting its connection; never waits, never raises."""

NEVER = float("inf")


class CalledBack(Exception):
    """Nobody wants the answer any more."""


class Errand:
    """What was asked of an image, in one or more requests one after the other, until it is done."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._cut: Cut | None = None
        self._was_out = False
        self.called_back = False

    def call_back(self) -> bool:
        """Send no more; whether anything was sent, so that the image may be at work on it."""
        with self._lock:
            self.called_back = True
            return self._was_out

    def cut(self) -> None:
        """Await no answer any more."""
        with self._lock:
            if self._cut:
                self._cut()

    @contextmanager
    def out(self, deadline: float, cut: Cut) -> Iterator[None]:
        """While a request is out; its connection is cut at the deadline, which is monotonic.

        Raises:
            CalledBack: If nobody wants it any more; then it is not sent.
        """
        with self._lock:
            if self.called_back:
                raise CalledBack
            self._cut = cut
            self._was_out = True
        try:
            with WATCHDOG.watching(deadline, cut):
                yield
        finally:
            with self._lock:
                self._cut = None


class Watchdog:
    """Cuts what is not done by its deadline; one thread for all, started when first needed."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._watched: dict[object, tuple[float, Cut]] = {}
        self._wakes_at = NEVER
        self._started = False

    @contextmanager
    def watching(self, deadline: float, cut: Cut) -> Iterator[None]:
        """Cut at the deadline, if that comes before the end of the block."""
        key = object()
        with self._changed:
            self._watched[key] = deadline, cut
            if not self._started:
                self._started = True
                Thread(target=self._watch, name="watchdog", daemon=True).start()
            elif deadline < self._wakes_at:
                self._changed.notify()
        try:
            yield
        finally:
            with self._changed:
                self._watched.pop(key, None)

    def _watch(self) -> None:
        with self._changed:
            while True:
                now = monotonic()
                due = [key for key, (deadline, _) in self._watched.items() if deadline <= now]
                for key in due:
                    _, cut = self._watched.pop(key)
                    cut()
                self._wakes_at = min((deadline for deadline, _ in self._watched.values()), default=NEVER)
                self._changed.wait(None if self._wakes_at == NEVER else self._wakes_at - now)


WATCHDOG = Watchdog()
