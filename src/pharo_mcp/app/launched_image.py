"""Image files that we open, and close; one that died or hangs is opened again as it was last saved."""

import logging
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterable, Sequence
from glob import glob
from time import monotonic
from typing import NamedTuple

from pharo_mcp.address import Address
from pharo_mcp.image.connection_files import (
    ConnectionFile,
    wait_until_saved,
)
from pharo_mcp.image.loading import start_script

from .own_images import ImageRules, ReplaceableImage
from .processes import (
    ImageFailed,
    LaunchRecord,
    Program,
    RecordedProcess,
    answers,
    end_recorded,
    launch_records,
    spawn_recorded,
)

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


def evaluate(machine: str, image: str, expression: str, *, save: bool = False) -> list[str]:
    """Return the command that evaluates without windows, prints the value and, with `save`, saves."""
    return [machine, "--headless", image, "eval", *(["--save"] if save else []), expression]


def run_script(machine: str, image: str, script: str, *, headless: bool) -> list[str]:
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
USED_AGAIN = "%s is used as a session that was killed has left it"


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
        advice=advice(launch),
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


def advice(launch: Launch) -> str:
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
            if orphan := record_of(image, self.folder, orphan=True):
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
        LOG.warning(USED_AGAIN, self._launched.image)
        return address

    def _spawn(self) -> Program:
        launch = self._launched
        descriptor, script = tempfile.mkstemp(suffix=".st", prefix="pharo-mcp-")
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(start_script(headless=launch.headless))
        command = run_script(launch.machine, launch.image, script, headless=launch.headless)
        new = LaunchRecord("", launch.image, 0, script, os.getpid())
        process, self._record = spawn_recorded(command, folder_beside(self.folder), new, launch.log)
        return process


def end_all(folder: str, image: str | None) -> list[str]:
    """End the images that no process of pharo-mcp will close, or the one of that file; return their files."""
    records = [
        record
        for record in launch_records(folder_beside(folder))
        if not record.has_owner and (image is None or is_same_file(record.image, image))
    ]
    for record in records:
        end_recorded(record, folder, lambda file: is_same_file(file.image, record.image))  # noqa: B023
    return [record.image for record in records]


def record_of(image: str, folder: str, *, orphan: bool = False) -> LaunchRecord | None:
    """Return the record of an image that runs, or that of an orphan; `folder` is that of connection files."""
    records = launch_records(folder_beside(folder))
    found = (each for each in records if is_same_file(each.image, image) and each.is_orphan >= orphan)
    return next(found, None)


def folder_beside(connection_files: str) -> str:
    """Return the folder of records beside that of connection files."""
    return os.path.join(os.path.dirname(connection_files), "launched")


def is_same_file(one: str, other: str) -> bool:
    """Return whether two paths lead to the same file."""
    return os.path.realpath(one) == os.path.realpath(other)


def _times(file: str) -> tuple[int, int] | None:
    try:
        about = os.stat(file)
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size
