"""The images that a session starts: a practice image, or an image file, which it opens and closes."""

import logging
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from glob import glob
from subprocess import PIPE, Popen, TimeoutExpired
from threading import Lock
from time import monotonic
from typing import NamedTuple

from pharo_mcp.address import Address
from pharo_mcp.image.connection import CompanionConnection
from pharo_mcp.image.connection_files import ConnectionFile, wait_until_saved
from pharo_mcp.image.errors import ImageError, NothingRan
from pharo_mcp.image.images import FoundImages
from pharo_mcp.image.loading import practice_command, start_script
from pharo_mcp.times import IMAGE_REQUESTS_SECONDS

from .processes import (
    ImageFailed,
    ImageProcess,
    LaunchRecord,
    Program,
    RecordedProcess,
    answers,
    is_same_file,
    launch_records,
    spawn_recorded,
    standard_error,
)
from .replacing import ImageRules, ReplaceableImage

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
PRACTICE_RULES = ImageRules(
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
LOADING_RULES = PRACTICE_RULES._replace(
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
    command: Callable[[], list[str]], folder: str, rules: ImageRules = PRACTICE_RULES
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


LAUNCH_SECONDS = 120.0
"""Starting an image file, loading the companion included."""
LAUNCH_PAUSE_SECONDS = 0.2
"""The interval of checks whether a file is still open."""
IMAGE_CLOSING_SECONDS = 15.0
"""The wait for an image file that is still open: the previous session may be ending."""
LAUNCHED_SILENCE_SECONDS = 60.0
"""How long an image file may leave status requests unanswered before it is opened again, which loses work."""
OPEN_FILES_SECONDS = 10
"""The system's program that lists open files."""


def command_to_evaluate(machine: str, image: str, expression: str, *, save: bool = False) -> list[str]:
    """Return the command that evaluates without windows, prints the value and, with `save`, saves."""
    return [machine, "--headless", image, "eval", *(["--save"] if save else []), expression]


def command_to_run(machine: str, image: str, script: str, *, headless: bool) -> list[str]:
    """Return the command that runs a Smalltalk file and leaves the image open, with or without windows."""
    if headless:
        return [machine, "--headless", image, "st", script]
    return [machine, image, "--interactive", "st", script]


def is_open(image: str) -> bool:
    """Return whether a program has the image or its changes file open, as every running image does.

    Best effort: if the system offers no way to find out, the image counts as closed.
    """
    files = [os.path.realpath(path) for path in files_of(image) if os.path.exists(path)]
    if os.path.isdir("/proc/self/fd"):
        return bool(set(files) & set(_open_files()))
    if lsof := shutil.which("lsof"):
        return any(_is_listed(lsof, file) for file in files)
    return any(_is_in_use(file) for file in files)


def files_of(image: str) -> tuple[str, str]:
    """Return the files that an image writes: its changes, and itself when it is saved."""
    return os.path.splitext(image)[0] + ".changes", image


def _open_files() -> Iterable[str]:
    """Return the files that are open in any process that we are allowed to inspect (Linux)."""
    for link in glob("/proc/[0-9]*/fd/*"):
        try:
            yield os.readlink(link)
        except OSError:
            continue


def _is_listed(lsof: str, file: str) -> bool:
    command = [lsof, "-t", "--", file]
    listing = subprocess.run(command, capture_output=True, timeout=OPEN_FILES_SECONDS, check=False)  # noqa: S603
    return bool(listing.stdout.strip())


def _is_in_use(file: str) -> bool:
    """Return whether the file cannot be renamed: Windows refuses to rename an open file."""
    try:
        os.rename(file, file)
    except OSError:
        return True
    return False


LOG = logging.getLogger(__name__)
OPEN = "it is open already; close it, or use that one"
STDERR = "pharo-mcp's log (standard error)"
LEFT = (
    "it is open already: a session that was killed has left it, and its companion does not answer. "
    "`pharo-mcp launch --stop --image '{image}'` ends it, without saving it"
)


class Launch(NamedTuple):
    """A virtual machine and an image file to start; `folder` is where its connection file will be.

    `log` is the file for its output, if that does not go to our standard error.
    """

    machine: str
    image: str
    folder: str
    headless: bool = False
    log: str | None = None


def launched(launch: Launch, silence: float = LAUNCHED_SILENCE_SECONDS) -> ReplaceableImage:
    """Return an image file that we open; it may leave status requests unanswered for `silence` seconds."""
    rules = ImageRules(
        name=launch.image,
        advice=launch_advice(launch),
        silent=(
            "Repeat the call: if it leaves status requests unanswered for {silence} seconds, it is ended "
            "and opened again as it was last saved. If it has a window, ask the user to interrupt an endless "
            "loop there with Cmd-. or Alt-., and to save what they need."
        ),
        replaced=(
            "{name} was opened again as it was last saved: {why}. Everything since the last save is lost in "
            "it: objects, variables of workspaces, changes of code, the log of changes, object ids and "
            "evaluation ids. Epicea's change log on disk has the code changes: Code Changes in the World "
            "menu shows them and applies them again."
        ),
        silence=silence,
        closed=(
            "It will not reopen by itself. Ask the user to reconnect pharo-mcp in the client, which opens it "
            "again. To go on in an image that the user opens, evaluate `PharoMcp start` there, and use "
            "pharo-mcp without --launch."
        ),
        of_user=True,
        starts_again=False,
    )
    return ReplaceableImage(lambda: LaunchedProcess(launch), rules)


def launch_advice(launch: Launch) -> str:
    """Return what to do if the image is not available."""
    return (
        f"Its output is in {launch.log or STDERR}. Ask the user to run `pharo-mcp doctor`, "
        "which checks what else may be wrong."
    )


class LaunchedProcess(RecordedProcess):
    """A virtual machine that runs an image file, and its child processes."""

    def __init__(self, launch: Launch) -> None:
        super().__init__(launch.folder, LAUNCH_SECONDS)
        self._launched = launch

    def work(self) -> object:
        """See ImageProcess: an image that saves itself answers nothing, but writes."""
        return [_times(file) for file in files_of(self._launched.image)]

    def wait_until_saved(self, until: float) -> None:
        """See ImageProcess."""

        def ours(images: Sequence[ConnectionFile]) -> Sequence[ConnectionFile]:
            return [each for each in images if is_same_file(each.image, self._launched.image)]

        wait_until_saved(self.folder, ours, until)

    def _is_its(self, file: ConnectionFile) -> bool:
        return is_same_file(file.image, self._launched.image)

    def _is_usable(self, file: ConnectionFile) -> bool:
        return answers(file)

    def _open(self) -> Address:
        image, end = self._launched.image, monotonic() + IMAGE_CLOSING_SECONDS
        while is_open(image):
            if orphan := orphan_of(image, self.folder):
                return self._take_over(orphan)
            if monotonic() > end or self._ended.wait(LAUNCH_PAUSE_SECONDS):
                raise ImageFailed(OPEN)
        return super()._open()

    def _take_over(self, orphan: LaunchRecord) -> Address:
        """Return the address of an image that a session has left; from then on, this one closes it."""
        address = self._find()
        if address is None:
            raise ImageFailed(LEFT.format(image=self._launched.image))
        self._record = orphan.taken_over()
        if self._record is None:
            raise ImageFailed(OPEN)
        with self._lock:
            self._process = self._record
        LOG.warning("%s is used as a session that was killed has left it", self._launched.image)
        return address

    def _spawn(self) -> Program:
        launch = self._launched
        descriptor, script = tempfile.mkstemp(suffix=".st", prefix="pharo-mcp-")
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(start_script(headless=launch.headless))
        command = command_to_run(launch.machine, launch.image, script, headless=launch.headless)
        new = LaunchRecord("", launch.image, 0, script, os.getpid())
        process, self._record = spawn_recorded(command, folder_beside(self.folder), new, launch.log)
        return process


def orphan_of(image: str, folder: str) -> LaunchRecord | None:
    """Return the record of a running image that nobody closes; `folder` is that of connection files."""
    records = launch_records(folder_beside(folder))
    return next((each for each in records if is_same_file(each.image, image) and each.is_orphan), None)


def folder_beside(connection_files: str) -> str:
    """Return the folder of records beside that of connection files."""
    return os.path.join(os.path.dirname(connection_files), "launched")


def _times(file: str) -> tuple[int, int] | None:
    try:
        about = os.stat(file)
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size
