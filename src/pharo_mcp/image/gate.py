"""The gate to the image in use: how many requests at once, how long, how often, and over which connection.

`CurrentConnection` makes the connection when it is needed and drops it when it fails; `RequestGate` sends
requests over it in their turn. Both are shared by threads. A request that may have run is never repeated.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from threading import BoundedSemaphore, Lock
from time import monotonic
from typing import TypeVar

from pharo_mcp.image.connection import CompanionConnection, repeat_unsent
from pharo_mcp.image.endpoints import Endpoint, Reply
from pharo_mcp.image.errors import (
    AnswerLost,
    CompanionFault,
    ImageBusy,
    ImageSilent,
    RequestCancelled,
    RequestRefused,
    SmalltalkError,
    StrangerOnPort,
)
from pharo_mcp.image.hints import usable
from pharo_mcp.image.images import Images
from pharo_mcp.image.replies.image import Status
from pharo_mcp.times import GRACE_SECONDS, IMAGE_REQUESTS_SECONDS, QUICK_REQUEST_SECONDS


class LastChange:
    """Remembers the last change of code, and names it in the first error that it may have caused."""

    def __init__(self) -> None:
        self._what: str | None = None

    def note(self, class_name: str, selector: str | None = None) -> None:
        """Remember a change of a class; one that names the method is more precise."""
        known = self._what
        if selector is not None:
            self._what = f"{class_name} >> {selector}"
        elif known is None or known.partition(" ")[0] != class_name:
            self._what = class_name

    def forget(self) -> None:
        """Forget the change: another image is in use."""
        self._what = None

    def explain(self, error: AnswerLost | CompanionFault | ImageSilent | StrangerOnPort) -> None:
        """Append the change to an error, once."""
        what, self._what = self._what, None
        if what:
            error.add(
                f"The last change of code in the image was of {what}. If that is why, end the image and "
                "start it again without that change, which is in its Epicea log."
            )


# Errors after which the connection can be used again.
ANSWERS = (SmalltalkError, RequestRefused, ImageBusy, RequestCancelled)
RESTARTED = (
    "The companion in {name} was restarted since the last call, as it is when the image is saved. "
    "Workspace variables, object ids, results and the list of changes are kept; "
    "breakpoints, error ids and what was running are gone."
)
OPENED_AGAIN = (
    "The companion in {name}, or the image, was restarted since the last call. "
    "Workspace variables, object ids and evaluation ids from before are gone; "
    "list_changes shows what can still be undone."
)
ANOTHER = (
    "The image has changed: it is now {name} at {url}. "
    "Variables, object ids and evaluation ids of the previous image do not exist in it."
)
Result = TypeVar("Result")


class CurrentConnection:
    """Connects at the first request and again after each failure.

    Notices when the image has changed or was restarted. `connected` is called with each new connection,
    before any request is sent over it.
    """

    def __init__(
        self, images: Images, connected: Callable[[CompanionConnection], None] = lambda connection: None
    ) -> None:
        self._images = images
        self._connected = connected
        self._connecting = Lock()  # held while connecting, so that it happens once
        self._lock = Lock()  # held briefly; guards the attributes below
        self._current: CompanionConnection | None = None
        self._last: str | None = None  # identity of the last image
        self._sessions: dict[str, Status] = {}
        self._notice: str | None = None

    def use(self, until: float, action: Callable[[CompanionConnection], Result]) -> Result:
        """Do something with the current connection, which is there by `until`.

        After a failure it is replaced, and closed when no thread uses it.
        """
        connection = self._acquire(until)
        try:
            return action(connection)
        except ANSWERS:
            raise
        except BaseException as error:
            if isinstance(error, CompanionFault):
                self._images.report_fault()
            with self._lock:
                self._forget(connection)
            raise
        finally:
            with self._lock:
                connection.users -= 1
                self._close_unused(connection)

    def leave(self) -> None:
        """Connect again at the next request; a connection in use is closed after its answers."""
        with self._lock:
            self._forget(self._current)
            self._last = None

    def recognise(self, connection: CompanionConnection) -> None:
        """Compare the image with the previous one, whenever its status is known."""
        status = connection.status
        with self._lock:
            names = {"name": status.name, "url": connection.address.url}
            key = _identity(status)
            before = self._sessions.get(key, status)
            if before.session != status.session:
                is_open = status.image_session and status.image_session == before.image_session
                self._notice = connection.replacement or (RESTARTED if is_open else OPENED_AGAIN).format(
                    **names
                )
            elif self._last is None:
                self._notice = connection.welcome
            elif self._last != key:
                self._notice = ANOTHER.format(**names)
            self._last = key
            self._sessions[key] = status

    def take_notice(self) -> str | None:
        """Return the notice for the caller, if there is one; returned once."""
        with self._lock:
            notice, self._notice = self._notice, None
            return notice and usable(notice)

    @property
    def current_image(self) -> str | None:
        """The name, URL and file of the image in use, or None before the first connection."""
        with self._lock:
            connection = self._current
        if connection is None:
            return None
        return ", ".join(
            filter(None, (f"{connection.status.name} at {connection.address.url}", connection.status.image))
        )

    def _acquire(self, until: float) -> CompanionConnection:
        if not self._connecting.acquire(timeout=max(0.0, until - monotonic())):
            raise ImageBusy("The image is busy: another request is waiting for its status")
        try:
            with self._lock:
                if self._current is not None:
                    return self._join(self._current)
            connection = self._images.locate(until)
            self.recognise(connection)
            self._connected(connection)
            with self._lock:
                self._current = connection
                return self._join(connection)
        finally:
            self._connecting.release()

    @staticmethod
    def _join(connection: CompanionConnection) -> CompanionConnection:
        connection.users += 1
        return connection

    def _forget(self, connection: CompanionConnection | None) -> None:
        if connection is not None and connection is self._current:
            self._current = None
            self._close_unused(connection)

    def _close_unused(self, connection: CompanionConnection) -> None:
        if connection is not self._current and not connection.users:
            connection.close()


def _identity(status: Status) -> str:
    """Return the name that identifies an image across restarts."""
    return status.image or status.name


AT_ONCE = 8
"""Requests that an image handles at the same time."""
RESERVED = 1
"""Further requests, for those that must not wait: status, stop, the state of an evaluation."""
Body = Mapping[str, object]
_ends: ContextVar[float] = ContextVar("_ends", default=float("inf"))


@contextmanager
def all_within(seconds: float) -> Iterator[None]:
    """Limit all requests of a block, in this thread, to these seconds, or to an outer limit if shorter."""
    before = _ends.set(until(seconds))
    try:
        yield
    finally:
        _ends.reset(before)


def until(seconds: float) -> float:
    """Return the monotonic time in these seconds, or the end of `all_within` if that is earlier."""
    return min(monotonic() + seconds, _ends.get())


class RequestGate:
    """Sends requests, from any thread. A request that may have run is never repeated."""

    def __init__(self, current: CurrentConnection) -> None:
        self.last_change = LastChange()
        self._current_connection = current
        self._turns = BoundedSemaphore(AT_ONCE)
        self._reserved = BoundedSemaphore(RESERVED)

    def ask(self, endpoint: Endpoint[Reply], body: Body) -> Reply:
        """Send a request when it is its turn."""
        wait = endpoint.seconds

        def go(connection: CompanionConnection, last: float) -> Reply:
            return connection.ask(endpoint, body, min(last, monotonic() + wait + GRACE_SECONDS))

        return self.in_turn(go, wait)

    def ask_at_once(self, endpoint: Endpoint[Reply], body: Body) -> Reply:
        """Send a request that the image answers at once, without waiting for a turn."""
        last = until(QUICK_REQUEST_SECONDS)
        return self._attempt(self._reserved, last, lambda connection: connection.ask(endpoint, body, last))

    def status(self) -> Status:
        """Ask for the image's status, without waiting for a turn."""
        last = until(GRACE_SECONDS)

        def go(connection: CompanionConnection) -> Status:
            status = connection.refresh(last)
            self._current_connection.recognise(connection)
            return status

        return self._attempt(self._reserved, last, go)

    def in_turn(self, go: Callable[[CompanionConnection, float], Result], wait: float) -> Result:
        """Call `go` with a connection and its deadline, `wait` seconds of which are for the image.

        The time spent waiting for a turn and connecting is not subtracted from these.
        """
        last = until(IMAGE_REQUESTS_SECONDS)
        return self._attempt(self._turns, last - wait - 1, lambda connection: go(connection, last))

    def _attempt(
        self, turns: BoundedSemaphore, ready_by: float, go: Callable[[CompanionConnection], Result]
    ) -> Result:
        if not turns.acquire(timeout=max(0.0, ready_by - monotonic())):
            raise ImageBusy(f"The image is busy: {AT_ONCE} requests are running in it")
        try:
            return repeat_unsent(lambda: self._current_connection.use(ready_by, go), ready_by)
        except (AnswerLost, CompanionFault, ImageSilent, StrangerOnPort) as error:
            self.last_change.explain(error)
            raise
        finally:
            turns.release()
