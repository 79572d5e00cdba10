"""The connection to the image in use: shared by threads, made when needed, dropped when it fails."""

from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import TypeVar

from pharo_mcp.image.errors.asking import CompanionFault, NobodyWaits
from pharo_mcp.image.errors.connecting import ImageBusy
from pharo_mcp.image.errors.refusals import RequestRefused
from pharo_mcp.image.errors.smalltalk_error import SmalltalkError
from pharo_mcp.image.replies.system import Status

from .companion_connection import CompanionConnection
from .images import Images

# Errors after which the connection can be used again.
ANSWERS = (SmalltalkError, RequestRefused, ImageBusy, NobodyWaits)

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
                self._notice = connection.story or (RESTARTED if is_open else OPENED_AGAIN).format(**names)
            elif self._last not in (None, key):
                self._notice = ANOTHER.format(**names)
            self._last = key
            self._sessions[key] = status

    def take_notice(self) -> str | None:
        """The notice for the caller, if there is one; returned once."""
        with self._lock:
            notice, self._notice = self._notice, None
            return notice

    @property
    def place(self) -> str | None:
        """The name, URL and image file of the image in use; None before the first connection."""
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
    """The name that identifies an image across restarts."""
    return status.image or status.name
