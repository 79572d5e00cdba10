"""Pending requests, and how each ends at its deadline or when it is cancelled.

httpcore limits the time of each read, not of the whole answer, and cannot end a request from another thread.
Cutting the connection does both.
"""

from collections.abc import Callable
from threading import Condition, Lock, Thread
from time import monotonic
from typing import TypeVar

Answer = TypeVar("Answer")

Cut = Callable[[], None]
"""Ends a request by cutting its connection; never blocks or raises."""

NEVER = float("inf")


class Cancelled(Exception):
    """The request was cancelled before it was sent."""


class PendingRequest:
    """One request to an image, or several in sequence for the same purpose, until they are done."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._cut: Cut | None = None
        self._was_sent = False
        self.cancelled = False

    def cancel(self) -> bool:
        """Send nothing more; whether anything was sent, so that the image may be working on it."""
        with self._lock:
            self.cancelled = True
            return self._was_sent

    def cut(self) -> None:
        """Stop waiting for the answer."""
        with self._lock:
            if self._cut:
                self._cut()

    def send(self, send: Callable[[], Answer], deadline: float, cut: Cut) -> Answer:
        """Send a request and return its answer. At the deadline (monotonic) its connection is cut.

        Raises:
            Cancelled: If it was cancelled before; then it is not sent.
        """
        with self._lock:
            if self.cancelled:
                raise Cancelled
            self._cut = cut
            self._was_sent = True
        key = WATCHDOG.watch(deadline, cut)
        try:
            return send()
        finally:
            WATCHDOG.forget(key)
            with self._lock:
                self._cut = None


class Watchdog:
    """Cuts requests at their deadlines. One thread for all, started when first needed."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._watched: dict[object, tuple[float, Cut]] = {}
        self._wakes_at = NEVER
        self._started = False

    def watch(self, deadline: float, cut: Cut) -> object:
        """Cut at the deadline, unless the key that is returned is forgotten before."""
        key = object()
        with self._changed:
            self._watched[key] = deadline, cut
            if not self._started:
                self._started = True
                Thread(target=self._watch, name="watchdog", daemon=True).start()
            elif deadline < self._wakes_at:
                self._changed.notify()
        return key

    def forget(self, key: object) -> None:
        """Do not cut any more."""
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
