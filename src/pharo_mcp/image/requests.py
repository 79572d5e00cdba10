"""Requests to the image in use: how many at once, until when, and how often."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from threading import BoundedSemaphore
from time import monotonic
from typing import TypeVar

from .contact import Contact
from .contacts import Contacts
from .errands import Errand
from .errors import CompanionFault, ImageBusy
from .http import retrying
from .replies import Status
from .shapes import ShapeMismatch

LIMIT = 20
"""Seconds that an image works on a request before it ends it, unless told otherwise."""
LONG = 40
"""Seconds that it works on what takes longer: redefining a class, refactoring, reading packages."""
GRACE = 5.0
"""Seconds between the image's limit and ours, so that its own answer comes first."""
TOTAL = 50.0
"""Seconds that any call takes at most: MCP clients give up at 60."""
QUICK = 10.0
"""Seconds for what the image answers at once, ending an evaluation included."""
AT_ONCE = 8
"""Requests that an image is asked to work on at the same time."""
RESERVED = 1
"""Requests beside these, for what must get through: status, stop, a look at an evaluation."""

Reply = TypeVar("Reply")
Read = Callable[[object], Reply]
"""Takes the value in a reply and answers it typed, or raises ShapeMismatch."""
Body = Mapping[str, object]


_ends: ContextVar[float] = ContextVar("_ends", default=float("inf"))


@contextmanager
def all_within(seconds: float) -> Iterator[None]:
    """Let all requests of a block, in this thread, be over in so many seconds, or earlier if told before."""
    before = _ends.set(until(seconds))
    try:
        yield
    finally:
        _ends.reset(before)


def until(seconds: float) -> float:
    """The time in so many seconds, or when all must be over, if that comes first; monotonic."""
    return min(monotonic() + seconds, _ends.get())


class Requests:
    """Sends requests, from any thread; nothing that may have run is sent twice."""

    def __init__(self, contacts: Contacts) -> None:
        self._contacts = contacts
        self._turns = BoundedSemaphore(AT_ONCE)
        self._reserved = BoundedSemaphore(RESERVED)

    def ask(self, path: str, body: Body, read: Read[Reply], wait: float = LIMIT) -> Reply:
        """Ask for what the image answers within `wait` seconds; in turn."""

        def go(contact: Contact, last: float) -> Reply:
            return answer(contact, path, body, read, min(last, monotonic() + wait + GRACE))

        return self.in_turn(go, wait)

    def ask_at_once(self, path: str, body: Body, read: Read[Reply]) -> Reply:
        """Ask for what needs no work in the image; beside those who wait for their turn."""
        last = until(QUICK)
        return self._attempt(self._reserved, last, lambda contact: answer(contact, path, body, read, last))

    def status(self) -> Status:
        """Ask who is there; beside those who wait for their turn."""
        last = until(GRACE)

        def go(contact: Contact) -> Status:
            status = contact.refresh(last)
            self._contacts.recognise(contact)
            return status

        return self._attempt(self._reserved, last, go)

    def in_turn(self, go: Callable[[Contact, float], Reply], wait: float) -> Reply:
        """Run what takes a contact and the time at which all must be over, `wait` seconds of it in the image.

        Waiting for a turn and for contact leaves the image all of these.
        """
        last = until(TOTAL)
        return self._attempt(self._turns, last - wait - 1, lambda contact: go(contact, last))

    def _attempt(self, turns: BoundedSemaphore, ready_by: float, go: Callable[[Contact], Reply]) -> Reply:
        def attempt() -> Reply:
            with self._contacts.use(ready_by) as contact:
                return go(contact)

        with _turn(turns, ready_by):
            return retrying(attempt, ready_by)


def answer(
    contact: Contact, path: str, body: Body, read: Read[Reply], deadline: float, errand: Errand | None = None
) -> Reply:
    """Send one request and read its reply."""
    value = contact.ask(path, body, deadline, errand)
    try:
        return read(value)
    except ShapeMismatch as mismatch:
        raise CompanionFault(contact.address, f"in its reply to {path}, {mismatch}") from mismatch


@contextmanager
def _turn(turns: BoundedSemaphore, until: float) -> Iterator[None]:
    if not turns.acquire(timeout=max(0.0, until - monotonic())):
        raise ImageBusy(f"The image is busy: {AT_ONCE} requests are running in it")
    try:
        yield
    finally:
        turns.release()
