"""An image, as one method per endpoint of its companion."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from threading import BoundedSemaphore, Lock
from time import monotonic

from .contact import Contact
from .discovery import Locate
from .errors import CompanionFault, ImageBusy, RequestRefused
from .http import AT_ONCE, retrying
from .replies import ClassDetails, Evaluation, Status, Version
from .shapes import Shape, ShapeMismatch, read
from .smalltalk_error import SmalltalkError

LIMIT = 20
"""Seconds that an image works on a request before it ends it, unless told otherwise."""
LONGEST_LIMIT = 40
GRACE = 5.0
"""Seconds between the image's limit and ours, so that its own answer comes first."""
TOTAL = 45.0
"""Seconds that any call takes at most: MCP clients give up at 60."""

# After these the image is well, and so is the connection.
ANSWERS = (SmalltalkError, RequestRefused, ImageBusy)


class ImageClient:
    """Asks one image, from any thread; finds it at the first request and again after each failure.

    Every method raises ImageError. What may have run is never sent twice.
    """

    def __init__(self, locate: Locate) -> None:
        self._locate = locate
        self._turns = BoundedSemaphore(AT_ONCE)
        self._meeting = Lock()  # held while the image is looked for, so that it is met once
        self._lock = Lock()  # held for moments only; guards the contact in use and its count of users
        self._current: Contact | None = None

    def status(self) -> Status:
        """Who is there. Takes no turn, so it answers while the image works on as much as it can."""
        until = monotonic() + GRACE
        return retrying(lambda: self._attempt_status(until), until)

    def version(self) -> Version:
        """What runs there."""
        return self._ask(Version, "/version", {})

    def evaluate(self, expression: str, timeout_seconds: float = LIMIT) -> Evaluation:
        """Evaluate Smalltalk; the value of the last statement counts.

        Raises:
            SmalltalkError: If it ended otherwise than with a value.
        """
        body = {"expression": expression, "timeoutSeconds": timeout_seconds}
        return self._ask(Evaluation, "/evaluate", body, timeout_seconds)

    def class_details(self, name: str) -> ClassDetails:
        """What a class or a trait is.

        Raises:
            UnknownClass: If there is none of that name.
        """
        return self._ask(ClassDetails, "/class", {"className": name})

    def close(self) -> None:
        """Close the connections that nobody uses; those in use close after their answers."""
        with self._lock:
            self._forget(self._current)

    def _ask(self, shape: type[Shape], path: str, body: Mapping[str, object], limit: float = LIMIT) -> Shape:
        last = monotonic() + TOTAL
        ready_by = last - limit - 1  # waiting for a turn and for contact leaves the image its whole limit

        def attempt() -> Shape:
            with self._contact(ready_by) as contact:
                value = contact.ask(path, body, min(last, monotonic() + limit + GRACE))
                try:
                    return read(shape, value)
                except ShapeMismatch as mismatch:
                    raise CompanionFault(contact.address, f"in its reply to {path}, {mismatch}") from mismatch

        with self._turn(ready_by):
            return retrying(attempt, ready_by)

    def _attempt_status(self, until: float) -> Status:
        with self._contact(until) as contact:
            return contact.refresh(until)

    @contextmanager
    def _turn(self, until: float) -> Iterator[None]:
        if not self._turns.acquire(timeout=_remaining(until)):
            raise ImageBusy(f"{AT_ONCE} requests are running in it")
        try:
            yield
        finally:
            self._turns.release()

    @contextmanager
    def _contact(self, until: float) -> Iterator[Contact]:
        """The contact to use now. One that fails is not used again, and closed when nobody uses it."""
        contact = self._acquire(until)
        try:
            yield contact
        except ANSWERS:
            raise
        except BaseException:
            with self._lock:
                self._forget(contact)
            raise
        finally:
            with self._lock:
                contact.users -= 1
                self._close_unused(contact)

    def _acquire(self, until: float) -> Contact:
        if not self._meeting.acquire(timeout=_remaining(until)):
            raise ImageBusy("somebody else waits for it to say who it is")
        try:
            with self._lock:
                if self._current is not None:
                    return self._join(self._current)
            contact = self._locate(until)
            with self._lock:
                self._current = contact
                return self._join(contact)
        finally:
            self._meeting.release()

    @staticmethod
    def _join(contact: Contact) -> Contact:
        contact.users += 1
        return contact

    def _forget(self, contact: Contact | None) -> None:
        if contact is not None and contact is self._current:
            self._current = None
            self._close_unused(contact)

    def _close_unused(self, contact: Contact) -> None:
        if contact is not self._current and not contact.users:
            contact.close()


def _remaining(until: float) -> float:
    return max(0.0, until - monotonic())
