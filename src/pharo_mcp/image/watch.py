"""Hearing what happens in the image in use, without asking it each time."""

import logging
import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Condition, Lock, Thread
from threading import Event as Flag
from time import monotonic, sleep

from .contact import Contact
from .errands import Errand
from .errors import CompanionFault, ImageBusy, ImageError
from .images import Images
from .offer_replies import Events, Registered
from .requests import GRACE, LIMIT, Body, Read, Reply, answer
from .shapes import given, read
from .smalltalk_error import SmalltalkError

LOG = logging.getLogger(__name__)

POLL = 25
"""Seconds until the image answers that nothing happened; its server keeps a connection longer."""
CALM = 0.1
"""Seconds in which more may happen before it is asked for again."""
BEHIND = 0.5
"""Seconds that an answer may wait for the word of what happened before it."""
SOON, LATE = 0.5, 8.0
"""Seconds until an image that was lost is looked for again; at most, the more often none was found."""
GONE = 2
"""Times that none is found until it is taken for gone: one that saves itself is away for a moment."""
UNLISTED = CompanionFault, ImageBusy, SmalltalkError
"""How an image that is still there says that it cannot list what it offers."""

Heard = Registered | Events
Hear = Callable[[Heard], None]
"""Takes what an image offers by itself now, and what happened in it. Must not raise, nor wait long."""


class Watch:
    """Follows the image in use in a thread of its own, over a connection of its own.

    Whoever hears is told what each image offers when it is met and whenever that changes, that nothing is
    offered when it is gone, and what happens in it. After a gap it is told that something is `lost`.
    A request that meets an image before this thread does lets it `begin`, so that it misses nothing of that.
    """

    def __init__(self, images: Images, hear: Hear) -> None:
        self._images = images
        self._hear = hear
        self._listener = os.urandom(6).hex()
        self._lock = Lock()
        self._errand = Errand()
        self._ended = False
        self._woken = Flag()
        self._heard_up_to: int | None = None  # None while no image is followed
        self._begun: dict[str, int] = {}  # sessions of images that keep what happens, and from where on
        self._followed: str | None = None  # the session of the image that is followed
        self._progress = Condition()

    def start(self) -> None:
        """Begin, in the background."""
        Thread(target=self._run, name="watch", daemon=True).start()

    def begin(self, contact: Contact) -> None:
        """Let an image keep for us what happens in it from now on, until it is followed; then look for it."""
        session = contact.status.session
        with self._lock:
            is_kept = session == self._followed or session in self._begun
        if not is_kept:
            with suppress(ImageError):  # then it is followed from later on
                since = Followed(contact, self._listener, Errand()).events(None, 0).next
                with self._lock:
                    self._begun = {session: since}
        self.wake()

    def look_again(self) -> None:
        """Leave the image that is followed: another one is in use, perhaps."""
        with self._lock:
            errand = self._errand
        errand.call_back()
        errand.cut()
        self.wake()

    def wake(self) -> None:
        """Look now for an image, if none is followed: somebody met one."""
        self._woken.set()

    def catch_up(self, event: int) -> None:
        """Wait a moment until that event was heard; not at all if no image is followed."""

        def is_heard() -> bool:
            return self._heard_up_to is None or self._heard_up_to >= event

        with self._progress:
            self._progress.wait_for(is_heard, BEHIND)

    def stop(self) -> None:
        """Hear no more. Does not wait for the thread to end."""
        with self._lock:
            self._ended = True
        self.look_again()

    def _run(self) -> None:
        pause, misses = SOON, 0
        while errand := self._next_errand():
            if self._follow_one(errand):
                pause, misses = SOON, 0
                self._woken.clear()  # set by whoever met the image that is lost now
            else:
                pause, misses = min(2 * pause, LATE), misses + 1
                if misses == GONE:
                    self._hear(Registered())
            if self._woken.wait(pause):
                self._woken.clear()

    def _next_errand(self) -> Errand | None:
        with self._lock:
            self._errand = Errand()
            return None if self._ended else self._errand

    def _follow_one(self, errand: Errand) -> bool:
        """Follow the image in use until it or we leave; whether there was one that can be followed."""
        try:
            contact = self._images.locate(monotonic() + LIMIT)
        except ImageError:
            return False
        followed = Followed(contact, self._listener, errand)
        since = None
        try:
            since = self._follow_from(contact, followed)  # before the offers, so that no change is missed
            self._hear_events(Events(since, lost=True))
            are_known = self._hear_offers(followed)
            while True:
                events = followed.events(since, POLL)
                since = events.next
                self._hear_events(events)
                changed = events.lost or any(event.kind == "offers" for event in events.events)
                if changed or not are_known:
                    are_known = self._hear_offers(followed)
                if events.events:
                    sleep(CALM)
        except ImageError:
            return since is not None
        finally:
            with self._lock:
                self._followed = None
            self._reach(None)
            contact.close()

    def _follow_from(self, contact: Contact, followed: "Followed") -> int:
        """Where to begin: where a request has begun before, perhaps while the image was asked here."""
        session = contact.status.session
        since = self._begun.get(session)
        if since is None:
            since = followed.events(None, 0).next
        with self._lock:
            since = min(since, self._begun.pop(session, since))
            self._followed = session
        return since

    def _hear_offers(self, followed: "Followed") -> bool:
        """Whether the image could list them; if not, what happens in it is heard all the same."""
        try:
            self._hear(followed.offers())
        except UNLISTED as error:
            LOG.warning("What the image registers cannot be listed now: %s", error)
            return False
        return True

    def _hear_events(self, events: Events) -> None:
        self._hear(events)
        self._reach(events.next)

    def _reach(self, event: int | None) -> None:
        with self._progress:
            self._heard_up_to = event
            self._progress.notify_all()


class Followed:
    """An image, as one listener asks it what happens."""

    def __init__(self, contact: Contact, listener: str, errand: Errand) -> None:
        self._contact = contact
        self._listener = listener
        self._errand = errand

    def events(self, since: int | None, wait_seconds: float) -> Events:
        """What happened since then (None: now), as soon as something did; the image keeps it from now on.

        Raises:
            ImageError: If it does not answer so, or the errand is called back.
        """
        body = {"since": since, **given(wait_seconds=wait_seconds, listener=self._listener)}
        return self._ask("/events", body, partial(read, Events), wait_seconds)

    def offers(self) -> Registered:
        """What the image offers by itself. Raises ImageError."""
        return self._ask("/offers", {}, partial(read, Registered), LIMIT)

    def _ask(self, path: str, body: Body, read: Read[Reply], seconds: float) -> Reply:
        return answer(self._contact, path, body, read, monotonic() + seconds + GRACE, self._errand)
