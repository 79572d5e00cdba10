"""Pending requests, which their callers can cancel."""

from threading import Event, Lock


class Cancelled(Exception):
    """The request was cancelled before it was sent."""


class PendingRequest:
    """One request to an image, or several in sequence for the same purpose, until they are `done`."""

    def __init__(self) -> None:
        self.cancelled = False
        self.done = Event()
        self._lock = Lock()
        self._was_sent = False

    def cancel(self) -> bool:
        """Send nothing more; return whether anything was sent, so that the image may be working on it."""
        with self._lock:
            self.cancelled = True
            return self._was_sent

    def begin_to_send(self) -> None:
        """Note that something is sent.

        Raises:
            Cancelled: If it was cancelled before; then it is not sent.
        """
        with self._lock:
            if self.cancelled:
                raise Cancelled
            self._was_sent = True
