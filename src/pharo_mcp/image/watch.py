"""Watches the image in use: its registrations and events, over a connection of its own."""

import logging
import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from threading import Condition, Lock, Thread
from threading import Event as Flag
from time import monotonic, sleep

from pharo_mcp.image.connection import CompanionConnection, Endpoint, PendingRequest, Reply
from pharo_mcp.image.endpoints import EVENTS, REGISTRATIONS
from pharo_mcp.image.errors import CompanionFault, ImageBusy, ImageError, SmalltalkError
from pharo_mcp.image.images import Images
from pharo_mcp.image.replies.image import Events
from pharo_mcp.image.replies.registrations import RegisteredItems
from pharo_mcp.strict_json import request_body
from pharo_mcp.times import GRACE_SECONDS, POLL_SECONDS, RECONNECT_MIN_SECONDS, REQUEST_SECONDS

EVENTS_PAUSE_SECONDS = 0.1
"""The pause between two requests for events, so that several arrive together."""
CATCH_UP_SECONDS = 0.5
"""How long an answer waits for the events that happened before it."""
RECONNECT_MAX_SECONDS = 8.0
"""The longest pause before a lost image is looked for again."""

LOG = logging.getLogger(__name__)

MISSES_UNTIL_GONE = 2
"""Failed connections after which an image counts as gone: one that saves itself is away for a moment."""
UNLISTED = CompanionFault, ImageBusy, SmalltalkError
"""Errors of a live image that cannot list its registrations."""

ImageUpdate = RegisteredItems | Events
Listener = Callable[[ImageUpdate], None]
"""Is called with the registrations of an image and with its events. Must not raise or block."""


class Watch:
    """Follows the image in use in a thread of its own, over a connection of its own.

    The listener gets the registrations of each image at first and after each change, empty ones when the
    image is gone, and its events; after a gap, `lost` is true. A request that reaches an image before this
    thread does calls `begin`, so that no event in between is missed.
    """

    def __init__(self, images: Images, listener: Listener) -> None:
        self._images = images
        self._report = listener
        self._listener = os.urandom(6).hex()
        self._lock = Lock()
        self._pending_request = PendingRequest()
        self._woken = Flag()
        self._last_event: int | None = None  # None while no image is followed
        self._begun: dict[str, int] = {}  # sessions of images that keep what happens, and from where on
        self._followed: str | None = None  # the session of the image that is followed
        self._progress = Condition()

    def start(self) -> None:
        """Start to watch in the background."""
        with self._lock:
            self._start_thread()

    def begin(self, connection: CompanionConnection) -> None:
        """Let an image keep its events from now on until it is followed, and look for it now."""
        session = connection.status.session
        with self._lock:
            is_kept = session == self._followed or session in self._begun
        if not is_kept:
            with suppress(ImageError):  # then it is followed from later on
                since = Followed(connection, self._listener, PendingRequest()).events(None, 0).next
                with self._lock:
                    self._begun = {session: since}
        self.wake()

    def look_again(self) -> None:
        """Stop following the current image: another one may be in use."""
        with self._lock:
            self._leave()
            self._start_thread()

    def wake(self) -> None:
        """Look for an image now, if none is followed."""
        self._woken.set()

    def catch_up(self, event: int) -> None:
        """Wait briefly until that event was passed on; not at all if no image is followed."""

        def is_passed_on() -> bool:
            return self._last_event is None or self._last_event >= event

        with self._progress:
            self._progress.wait_for(is_passed_on, CATCH_UP_SECONDS)

    def stop(self) -> None:
        """Stop watching. Does not wait for the thread to end."""
        with self._lock:
            self._leave()

    def _start_thread(self) -> None:
        self._pending_request = PendingRequest()
        Thread(target=self._run, args=[self._pending_request], name="watch", daemon=True).start()

    def _leave(self) -> None:
        # A request that waits for events is left to end by itself; what it brings is not passed on.
        self._pending_request.cancel()
        self._followed = None
        self._reach(None)
        self.wake()

    def _run(self, pending: PendingRequest) -> None:
        pause, misses = RECONNECT_MIN_SECONDS, 0
        while not pending.cancelled:
            if self._follow_one(pending):
                pause, misses = RECONNECT_MIN_SECONDS, 0
                self._woken.clear()  # set for the image that is lost now
            else:
                pause, misses = min(2 * pause, RECONNECT_MAX_SECONDS), misses + 1
                if misses == MISSES_UNTIL_GONE:
                    self._report(RegisteredItems())
            if self._woken.wait(pause):
                self._woken.clear()

    def _follow_one(self, pending: PendingRequest) -> bool:
        """Follow the image in use until it is gone or `stop`. Return whether one could be followed."""
        try:
            connection = self._images.look(monotonic() + REQUEST_SECONDS)
        except ImageError:
            return False
        followed = Followed(connection, self._listener, pending)
        since = None
        try:
            # Before the registrations, so that no change is missed.
            since = self._follow_from(connection, followed)
            self._pass_on(Events(since, lost=True))
            are_known = self._update_registrations(followed)
            while True:
                events = followed.events(since, POLL_SECONDS)
                since = events.next
                self._pass_on(events)
                changed = events.lost or any(event.kind == "registrations" for event in events.events)
                if changed or not are_known:
                    are_known = self._update_registrations(followed)
                if events.events:
                    sleep(EVENTS_PAUSE_SECONDS)
        except ImageError:
            return since is not None
        finally:
            with self._lock:
                if not pending.cancelled:
                    self._followed = None
                    self._reach(None)
            connection.close()

    def _follow_from(self, connection: CompanionConnection, followed: "Followed") -> int:
        """Return the event to begin at: the one at which a request began, or the last one."""
        session = connection.status.session
        since = self._begun.get(session)
        if since is None:
            since = followed.events(None, 0).next
        with self._lock:
            since = min(since, self._begun.pop(session, since))
            if not followed.is_cancelled():
                self._followed = session
        return since

    def _update_registrations(self, followed: "Followed") -> bool:
        """Pass on the registrations. Return whether the image could list them."""
        try:
            self._report(followed.registrations())
        except UNLISTED as error:
            LOG.warning("The registrations of the image cannot be listed now: %s", error)
            return False
        return True

    def _pass_on(self, events: Events) -> None:
        self._report(events)
        self._reach(events.next)

    def _reach(self, event: int | None) -> None:
        with self._progress:
            self._last_event = event
            self._progress.notify_all()


class Followed:
    """An image as one listener follows it."""

    def __init__(self, connection: CompanionConnection, listener: str, pending: PendingRequest) -> None:
        self._connection = connection
        self._listener = listener
        self._pending_request = pending

    def events(self, since: int | None, wait_seconds: float) -> Events:
        """Return the events after `since` (None: from now on), if there are any. The image keeps later ones.

        Raises:
            ImageError: If the image does not answer them, or the request is cancelled.
        """
        body = {"since": since, **request_body(wait_seconds=wait_seconds, listener=self._listener)}
        return self._ask(EVENTS, body, wait_seconds)

    def is_cancelled(self) -> bool:
        """Return whether the listener has left."""
        return self._pending_request.cancelled

    def registrations(self) -> RegisteredItems:
        """Return the registrations of the image. Raises ImageError."""
        return self._ask(REGISTRATIONS, {}, REGISTRATIONS.seconds)

    def _ask(self, endpoint: Endpoint[Reply], body: Mapping[str, object], seconds: float) -> Reply:
        deadline = monotonic() + seconds + GRACE_SECONDS
        return self._connection.ask(endpoint, body, deadline, self._pending_request)
