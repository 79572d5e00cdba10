"""The gate for requests to the image in use: how many at once, how long, and how often."""

from collections.abc import Callable, Mapping
from contextvars import ContextVar
from threading import BoundedSemaphore
from time import monotonic
from typing import TypeVar

from pharo_mcp.image.errors.asking import AnswerLost, CompanionFault
from pharo_mcp.image.errors.connecting import ImageBusy, ImageSilent, StrangerOnPort
from pharo_mcp.image.replies.shapes import ShapeMismatch
from pharo_mcp.image.replies.system import Status
from pharo_mcp.times import GRACE_SECONDS, IMAGE_REQUESTS_SECONDS, QUICK_REQUEST_SECONDS, REQUEST_SECONDS

from .companion_connection import CompanionConnection
from .current_connection import CurrentConnection
from .http import repeat_unsent
from .last_change import LastChange
from .pending_request import PendingRequest

AT_ONCE = 8
"""Requests that an image handles at the same time."""
RESERVED = 1
"""Further requests, for those that must not wait: status, stop, the state of an evaluation."""

TypedReply = TypeVar("TypedReply")
ReplyReader = Callable[[object], TypedReply]
"""Converts the value in a reply to its type, or raises ShapeMismatch."""
Body = Mapping[str, object]


_ends: ContextVar[float] = ContextVar("_ends", default=float("inf"))


class all_within:  # noqa: N801 - used as a function is
    """Limits all requests of a block, in this thread, to so many seconds, or to an outer limit if shorter."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds

    def __enter__(self) -> None:
        self._before = _ends.set(until(self._seconds))

    def __exit__(self, *exception: object) -> None:
        _ends.reset(self._before)


def until(seconds: float) -> float:
    """The time in so many seconds (monotonic), or the end of `all_within` if that is earlier."""
    return min(monotonic() + seconds, _ends.get())


class RequestGate:
    """Sends requests, from any thread. A request that may have run is never repeated."""

    def __init__(self, current: CurrentConnection) -> None:
        self.last_change = LastChange()
        self._current_connection = current
        self._turns = BoundedSemaphore(AT_ONCE)
        self._reserved = BoundedSemaphore(RESERVED)

    def ask(
        self, path: str, body: Body, read: ReplyReader[TypedReply], wait: float = REQUEST_SECONDS
    ) -> TypedReply:
        """Send a request that the image answers within `wait` seconds, when it is its turn."""

        def go(connection: CompanionConnection, last: float) -> TypedReply:
            return answer(connection, path, body, read, min(last, monotonic() + wait + GRACE_SECONDS))

        return self.in_turn(go, wait)

    def ask_at_once(self, path: str, body: Body, read: ReplyReader[TypedReply]) -> TypedReply:
        """Send a request that the image answers at once, without waiting for a turn."""
        last = until(QUICK_REQUEST_SECONDS)
        return self._attempt(
            self._reserved, last, lambda connection: answer(connection, path, body, read, last)
        )

    def status(self) -> Status:
        """Ask for the image's status, without waiting for a turn."""
        last = until(GRACE_SECONDS)

        def go(connection: CompanionConnection) -> Status:
            status = connection.refresh(last)
            self._current_connection.recognise(connection)
            return status

        return self._attempt(self._reserved, last, go)

    def in_turn(self, go: Callable[[CompanionConnection, float], TypedReply], wait: float) -> TypedReply:
        """Call `go` with a connection and its deadline, `wait` seconds of which are for the image.

        The time spent waiting for a turn and connecting is not subtracted from these.
        """
        last = until(IMAGE_REQUESTS_SECONDS)
        return self._attempt(self._turns, last - wait - 1, lambda connection: go(connection, last))

    def _attempt(
        self, turns: BoundedSemaphore, ready_by: float, go: Callable[[CompanionConnection], TypedReply]
    ) -> TypedReply:
        if not turns.acquire(timeout=max(0.0, ready_by - monotonic())):
            raise ImageBusy(f"The image is busy: {AT_ONCE} requests are running in it")
        try:
            return repeat_unsent(lambda: self._current_connection.use(ready_by, go), ready_by)
        except (AnswerLost, CompanionFault, ImageSilent, StrangerOnPort) as error:
            self.last_change.explain(error)
            raise
        finally:
            turns.release()


def answer(
    connection: CompanionConnection,
    path: str,
    body: Body,
    read: ReplyReader[TypedReply],
    deadline: float,
    pending: PendingRequest | None = None,
) -> TypedReply:
    """Send one request over a connection and convert its reply."""
    value = connection.ask(path, body, deadline, pending)
    try:
        return read(value)
    except ShapeMismatch as mismatch:
        raise CompanionFault(connection.address.url, f"in its reply to {path}, {mismatch}") from mismatch
