"""Practice images: that of one session, perhaps only where no image is live, and those in the background."""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from subprocess import PIPE, Popen, TimeoutExpired
from threading import Lock
from time import monotonic

from pharo_mcp.image.connection import CompanionConnection
from pharo_mcp.image.errors import ImageError, NothingRan
from pharo_mcp.image.images import FoundImages
from pharo_mcp.image.loading import practice_command
from pharo_mcp.times import IMAGE_REQUESTS_SECONDS

from .own_images import ImageRules, ReplaceableImage
from .processes import (
    ImageProcess,
    LaunchRecord,
    Program,
    RecordedProcess,
    spawn_recorded,
    standard_error,
)

PRACTICE_START_SECONDS = 60.0
"""Starting a practice image, with all that it loads."""
PRACTICE_SILENCE_SECONDS = 15.0
"""How long a practice image may leave status requests unanswered before it is replaced."""
PRACTICE_STOP_SECONDS = 5.0
"""The wait for a practice image to end in order before it is killed."""


class PracticeProcess(ImageProcess):
    """A practice image. Its standard input is our pipe: when we end, however we end, so does it."""

    def __init__(self, command: Callable[[], list[str]], folder: str) -> None:
        super().__init__(folder, PRACTICE_START_SECONDS)
        self._command = command
        self._child: Popen[bytes]

    def _spawn(self) -> Program:
        self._child = Popen(  # noqa: S603 - our own program
            self._command(),
            stdin=PIPE,
            stdout=standard_error(),
            start_new_session=True,  # Ctrl-C in a terminal is for us: it ends with its input
        )
        return self._child

    def _end(self, process: Program, *, at_once: bool) -> None:
        """Wait until it has taken its connection file away, unless it must end at once."""
        if not at_once:
            self._close_input()
            with suppress(TimeoutExpired):
                process.wait(PRACTICE_STOP_SECONDS)
        self._child.kill()
        self._child.wait()
        self._close_input()

    def _close_input(self) -> None:
        if self._child.stdin:
            with suppress(BrokenPipeError):
                self._child.stdin.close()


class DetachedPractice(RecordedProcess):
    """A practice image in the background; its record is in the folder `records`, its output in `log`."""

    def __init__(self, name: str, command: list[str], folder: str, records: str, log: str) -> None:
        super().__init__(folder, PRACTICE_START_SECONDS)
        self._name = name
        self._command = command
        self._records = records
        self._log = log

    def _spawn(self) -> Program:
        new = LaunchRecord("", self._name, 0)
        process, self._record = spawn_recorded(self._command, self._records, new, self._log)
        return process


SESSION_PREFIX = "practice-session-"
"""How the names of images begin that belong to a session; the number of our process follows."""
RULES = ImageRules(
    name="The practice image",
    advice=(
        "Its output is in pharo-mcp's log (standard error); `pharo-mcp practice` in a terminal shows it, too."
    ),
    silent="Repeat the call: after {silence} seconds without an answer it is replaced by a fresh one.",
    replaced=(
        "{name} was replaced by a fresh one: {why}. All that was in it is lost: classes and methods that you "
        "defined, variables, the log of changes, object ids and evaluation ids."
    ),
    silence=PRACTICE_SILENCE_SECONDS,
)
LOADING_RULES = RULES._replace(
    advice=(
        "Its output, in pharo-mcp's log (standard error), says if a package could not be loaded; `pharo-mcp "
        "practice --load FOLDER` in a terminal shows it, too. After a correction, ask the user to reconnect "
        "pharo-mcp in the client, which starts it again."
    ),
    starts_again=False,
)
"""With packages that may not load: then the next try would not load them either."""


def session_command(folders: Sequence[str]) -> list[str]:
    """Return the command of an image for one session that loads folders."""
    return practice_command("PharoMcp start", None, folders, f"{SESSION_PREFIX}{os.getpid()}")


def practice_image(
    command: Callable[[], list[str]], folder: str, rules: ImageRules = RULES
) -> ReplaceableImage:
    """Return a practice image of ours; `command` is asked for each time that one is started.

    Its connection file will be in `folder`.
    """
    return ReplaceableImage(lambda: PracticeProcess(command, folder), rules)


NO_IMAGE = "noImage"
"""The kind of the error of FoundImages where no image is live."""
LIVE = "This session works in the user's live image {name} ({system})."
PRACTICE = (
    "No live Pharo image was found, so this session works in a practice image, which is not Pharo and ends "
    "with the session. When the user has started an image (PharoMcp start), select_image chooses it."
)


class LiveOrPractice(FoundImages):
    """The live images that are found, or the practice image of this session while there are none."""

    def __init__(self, folder: str, practice: ReplaceableImage) -> None:
        super().__init__(folder, hidden=SESSION_PREFIX)
        self._practice = practice
        self._starting = Lock()  # so that the practice image is started once
        self._has_started = False

    def start(self) -> None:
        """Start the practice image if no image is live."""
        try:
            super().locate(monotonic() + IMAGE_REQUESTS_SECONDS).close()
        except ImageError as error:
            if error.kind == NO_IMAGE:
                self._start_practice()

    def stop(self) -> None:
        """End the practice image, if it was started."""
        if self._has_started:
            self._practice.stop()

    def locate(self, until: float) -> CompanionConnection:
        """See Images. The practice image is started when it is needed."""
        if connection := self._live_one(until):
            return connection
        self._start_practice()
        return _welcoming(self._practice.locate(until), PRACTICE)

    def look(self, until: float) -> CompanionConnection:
        """See Images."""
        return self._live_one(until) or _welcoming(self._practice.look(until), PRACTICE)

    def report_fault(self) -> None:
        """See Images."""
        self._practice.report_fault()

    def has_alternatives(self) -> bool:
        """See Images. In the practice image, a live one can be chosen as soon as there is one."""
        return self._has_started or super().has_alternatives()

    def _live_one(self, until: float) -> CompanionConnection | None:
        try:
            connection = super().locate(until)
        except NothingRan as error:
            if error.kind == NO_IMAGE:
                return None
            raise
        status = connection.status
        return _welcoming(connection, LIVE.format(name=status.name, system=status.system))

    def _start_practice(self) -> None:
        with self._starting:
            if not self._has_started:
                self._has_started = True
                self._practice.start()


def _welcoming(connection: CompanionConnection, words: str) -> CompanionConnection:
    connection.welcome = words
    return connection
