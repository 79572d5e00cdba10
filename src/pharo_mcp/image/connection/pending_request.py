"""Pending requests, which their callers can cancel."""

from collections.abc import Callable
from threading import Event, Lock


class Cancelled(Exception):
    """The request was cancelled."""


class PendingRequest:
    """One request to an image, or several in sequence for the same purpose, until they are `done`.

    It is cancelled in two steps: `cancel` sends nothing more, and `give_up` ends the wait for what was sent.
    In between, the image is asked to stop.
    """

    def __init__(self) -> None:
        self.cancelled = False
        self.done = Event()
        self._lock = Lock()
        self._abandon: Callable[[], None] | None = None

    def cancel(self) -> bool:
        """Send nothing more; return whether anything was sent, so that the image may be working on it."""
        with self._lock:
            self.cancelled = True
            return self._abandon is not None

    def give_up(self) -> None:
        """Let the caller wait no longer for what was sent."""
        if self._abandon:
            self._abandon()

    def begin_to_send(self, abandon: Callable[[], None]) -> None:
        """Note that something is sent; `abandon` ends the wait for its answer.

        Raises:
            Cancelled: If it was cancelled before; then it is not sent.
        """
        with self._lock:
            if self.cancelled:
                raise Cancelled
            self._abandon = abandon
