"""The contact in use with an image, shared by threads; made when needed, dropped when it fails."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from time import monotonic

from .contact import Contact
from .errors import ImageBusy, NobodyWaits
from .images import Images
from .refusals import RequestRefused
from .replies import Status
from .smalltalk_error import SmalltalkError

# After these the image is well, and so is the connection.
ANSWERS = (SmalltalkError, RequestRefused, ImageBusy, NobodyWaits)

RESTARTED = (
    "Since the last call the companion in {name} was started again (or the image was). "
    "Variables of workspaces, object ids and evaluation ids from before are gone."
)
ANOTHER = (
    "This is another image than before: {name} at {url}. "
    "Nothing that the image before knew, such as variables and object ids, is there."
)


class Contacts:
    """Meets the image at the first request and again after each failure.

    Notices on the way when it is another image, or the same one started again; `met` is called each time,
    before anything else is asked of it.
    """

    def __init__(self, images: Images, met: Callable[[Contact], None] = lambda contact: None) -> None:
        self._images = images
        self._met = met
        self._meeting = Lock()  # held while the image is looked for, so that it is met once
        self._lock = Lock()  # held for moments only; guards all that follows
        self._current: Contact | None = None
        self._last: str | None = None  # the image met last
        self._sessions: dict[str, str] = {}
        self._notice: str | None = None

    @contextmanager
    def use(self, until: float) -> Iterator[Contact]:
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

    def leave(self) -> None:
        """Meet the image anew at the next request; connections in use close after their answers."""
        with self._lock:
            self._forget(self._current)
            self._last = None

    def recognise(self, contact: Contact) -> None:
        """Compare who is there with who was there, whenever it has told."""
        status = contact.status
        with self._lock:
            told = {"name": status.name, "url": contact.address.url}
            key = _identity(status)
            if self._sessions.get(key, status.session) != status.session:
                self._notice = RESTARTED.format(**told)
            elif self._last not in (None, key):
                self._notice = ANOTHER.format(**told)
            self._last = key
            self._sessions[key] = status.session

    def take_notice(self) -> str | None:
        """What whoever works with the image must be told, once."""
        with self._lock:
            notice, self._notice = self._notice, None
            return notice

    @property
    def place(self) -> str | None:
        """The image in use, in words."""
        with self._lock:
            contact = self._current
        if contact is None:
            return None
        return ", ".join(
            filter(None, (f"{contact.status.name} at {contact.address.url}", contact.status.image))
        )

    def _acquire(self, until: float) -> Contact:
        if not self._meeting.acquire(timeout=max(0.0, until - monotonic())):
            raise ImageBusy("The image is busy: somebody else waits for it to say who it is")
        try:
            with self._lock:
                if self._current is not None:
                    return self._join(self._current)
            contact = self._images.locate(until)
            self.recognise(contact)
            self._met(contact)
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


def _identity(status: Status) -> str:
    """What an image keeps when it is started again."""
    return status.image or status.name
