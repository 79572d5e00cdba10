"""An image that a session starts, replaces when it has died or hangs, and ends."""

import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from threading import Lock
from time import monotonic, sleep
from typing import NamedTuple

from pharo_mcp.address import Address
from pharo_mcp.image.connection import CompanionConnection
from pharo_mcp.image.endpoints import VERSION
from pharo_mcp.image.errors import (
    AnswerLost,
    CompanionFault,
    ImageError,
    ImageSilent,
    ImageUnreachable,
    NothingRan,
    StrangerOnPort,
    WrongToken,
)
from pharo_mcp.image.images import OneImage

from .processes import ImageFailed, ImageProcess, how_it_ended

STATUS_CHECK_SECONDS = 5.0
"""One status request to such an image."""
STATUS_PAUSE_SECONDS = 0.2
"""The pause between two of them where nothing listens."""
REPLACEMENT_WINDOW_SECONDS = 60.0
"""The time in which an image is replaced three times at most."""


class ImageRules(NamedTuple):
    """When one kind of image is replaced, and the texts about it.

    In the texts, `{name}` is the image, `{why}` what happened to it, and `{silence}` a number of seconds.
    """

    name: str
    advice: str
    """What to do if the image is not available."""
    silent: str
    """What to do if it does not answer and may soon be replaced."""
    replaced: str
    """What is lost when it was replaced."""
    silence: float
    """Seconds for which it may leave status requests unanswered before it is replaced."""
    closed: str | None = None
    """What to do if a person quit it (exit status 0); None if it is replaced then, too."""
    of_user: bool = False
    """Whether the user decides what becomes of it if its companion was stopped, or fails at every request."""
    starts_again: bool = True
    """Whether it is started again if it did not start."""


class ImageStarting(NothingRan):
    """The image is still starting: it has not answered yet."""

    kind = "starting"

    def __init__(self, rules: ImageRules) -> None:
        super().__init__(f"{rules.name} is still starting. Nothing ran. Repeat the call in a moment.")


class ImageNotThere(NothingRan):
    """The image is not available, and is not started again."""

    kind = "notStarted"

    def __init__(self, name: str, why: str, advice: str) -> None:
        super().__init__(f"{name} is not available: {why}. Nothing ran.\n{advice}")


LOG = logging.getLogger(__name__)

REPLACEMENTS = 3
"""Most replacements within a minute."""
NO_ANSWER = ImageSilent, ImageUnreachable, StrangerOnPort, WrongToken
"""Errors of a status request to an image that has died, hangs, or answers at another address."""


class ReplaceableImage(OneImage):
    """Starts an image, replaces it when it has died or hangs, and ends it. No other image is ever ended.

    `make` makes the process of a new image.
    """

    def __init__(self, make: Callable[[], ImageProcess], rules: ImageRules) -> None:
        self._make = make
        self._rules = rules
        self._lock = Lock()  # guards what follows
        self._process = make()
        self._stopped = False
        self._replaced_at: deque[float] = deque(maxlen=REPLACEMENTS)
        self._replacement: str | None = None
        self._session: str | None = None  # of the companion that first answered in the process
        self._silence = Silence()
        self._is_suspect = False

    def start(self) -> None:
        """Start the image in the background. Called once."""
        self._process.start()

    def locate(self, until: float) -> CompanionConnection:
        """See Images. An image that has died or hangs is replaced first."""
        while True:
            process = self._process
            try:
                return self._meet(process, until)
            except ImageFailed as failure:
                self._replace(process, str(failure))

    def look(self, until: float) -> CompanionConnection:
        """See Images."""
        with suppress(ImageFailed):
            if address := self._process.address(until):
                return CompanionConnection.connect(address, until)
        raise ImageStarting(self._rules)

    def report_fault(self) -> None:
        """Check the companion before the next request: code that it runs on may have been changed."""
        self._is_suspect = True

    def stop(self) -> None:
        """End the image, and wait until it has removed its connection file."""
        with self._lock:
            self._stopped = True
        self._process.end()

    def _address(self, process: ImageProcess, until: float) -> Address:
        """Return the address of an image.

        Raises:
            ImageStarting: If the address is not known yet.
            ImageFailed, ImageNotThere: If it did not start; the second if it must not be started again.
        """
        try:
            address = process.address(until)
        except ImageFailed as failure:
            if self._rules.starts_again:
                raise
            raise ImageNotThere(self._rules.name, str(failure), self._rules.advice) from failure
        if address is None:
            raise ImageStarting(self._rules)
        return address

    def _meet(self, process: ImageProcess, until: float) -> CompanionConnection:
        """Return a connection to an image.

        Raises:
            ImageFailed: If the image has to be replaced.
            NothingRan: If there is no connection, but the image stays.
        """
        while True:
            address, begun = self._address(process, until), monotonic()
            try:
                end = min(until, begun + STATUS_CHECK_SECONDS)
                connection = CompanionConnection.connect(address, end)
                if self._is_suspect and not self._rules.of_user and _is_faulty(connection):
                    connection.close()
                    raise ImageFailed("its companion did not work any more")
                self._is_suspect = False
                return self._recognise(connection)
            except NO_ANSWER as error:
                if (status := process.status()) is not None:
                    raise self._ended(status) from error
                process.wait_until_saved(until)
                if process.has_moved():
                    continue
                if self._rules.of_user and not _listens(error):
                    raise
                if self._silence.lasts(process, begun) >= self._rules.silence:
                    why = f"it did not answer for {self._rules.silence:.0f} seconds and was ended"
                    raise ImageFailed(why) from error
                if monotonic() + STATUS_PAUSE_SECONDS >= until:
                    if self._session is None:
                        raise ImageStarting(self._rules) from error
                    text = f"{self._rules.name} did not answer a status request in time. Nothing ran.\n"
                    advice = self._rules.silent.format(silence=f"{self._rules.silence:.0f}")
                    raise NothingRan(text + advice, "silent") from error
                sleep(STATUS_PAUSE_SECONDS)

    def _recognise(self, connection: CompanionConnection) -> CompanionConnection:
        """Note in the connection that this image replaced another one."""
        self._silence = Silence()
        self._session = self._session or connection.status.session
        if connection.status.session == self._session:
            connection.replacement = self._replacement
        return connection

    def _ended(self, status: int) -> ImageFailed | ImageNotThere:
        """Return the error for an image that has ended; it is not replaced if a person has closed it."""
        why = how_it_ended(status)
        if status == 0 and self._rules.closed:
            return ImageNotThere(self._rules.name, f"it was closed ({why})", self._rules.closed)
        return ImageFailed(why)

    def _replace(self, process: ImageProcess, why: str) -> None:
        """Start a new image instead, unless another thread has done so.

        Raises:
            ImageNotThere: If there were too many replacements within the last minute.
        """
        with self._lock:
            if process is not self._process:
                return
            self._check_may_replace(why)
            self._replaced_at.append(monotonic())
            self._replacement = self._rules.replaced.format(name=self._rules.name, why=why)
            self._session, self._silence, self._is_suspect = None, Silence(), False
            self._process = successor = self._make()
        LOG.warning("%s", self._replacement)
        process.end(at_once=True)
        successor.start()

    def _check_may_replace(self, why: str) -> None:
        times = self._replaced_at
        if self._stopped:
            raise ImageNotThere(self._rules.name, why, self._rules.advice)
        if len(times) == REPLACEMENTS and monotonic() - times[0] < REPLACEMENT_WINDOW_SECONDS:
            retry = (
                f"It was replaced {REPLACEMENTS} times within a minute. A call in a minute starts it again."
            )
            raise ImageNotThere(self._rules.name, why, f"{retry} {self._rules.advice}")


class Silence:
    """How long an image has left requests unanswered; reset when it is found to work."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._seconds = 0.0
        self._counted_until = 0.0
        self._work: object = None

    def lasts(self, process: ImageProcess, begun: float) -> float:
        """Add a request that was not answered since `begun`; the seconds of all of them.

        Time without a request does not count, nor does time in which the computer slept.
        """
        with self._lock:
            now, work = monotonic(), process.work()
            if work != self._work:
                self._seconds, self._work = 0.0, work
            self._seconds += min(
                now - max(begun, self._counted_until), STATUS_CHECK_SECONDS + STATUS_PAUSE_SECONDS
            )
            self._counted_until = now
            return self._seconds


def _is_faulty(connection: CompanionConnection) -> bool:
    """Return whether the companion fails at a request that needs next to nothing."""
    try:
        connection.ask(VERSION, {}, monotonic() + STATUS_CHECK_SECONDS)
    except (CompanionFault, AnswerLost):
        return True
    except ImageError:
        pass  # it is busy, for example
    return False


def _listens(error: Exception) -> bool:
    """Return whether a program accepts connections but does not answer."""
    return isinstance(error, ImageSilent) or (isinstance(error, ImageUnreachable) and error.listens)
