"""Image files that we open, and close; one that died or hangs is opened again as it was last saved."""

import json
import logging
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from glob import escape, glob
from subprocess import Popen, TimeoutExpired
from time import monotonic, sleep
from typing import NamedTuple

from pharo_mcp.address import Address
from pharo_mcp.image.connection import CompanionConnection
from pharo_mcp.image.connection_files import (
    ConnectionFile,
    SavedImage,
    check_folder,
    connection_files,
    is_running,
    remove_connection_files,
    wait_until_saved,
)
from pharo_mcp.image.errors import ImageError
from pharo_mcp.image.loading import start_script

from .own_images import STOPPED, ImageProcess, ImageRules, Program, ReplaceableImage, how_it_ended

LAUNCH_SECONDS = 120.0
"""Starting an image file, loading the companion included."""
LAUNCH_PAUSE_SECONDS = 0.2
"""The interval of checks while it starts."""
IMAGE_CLOSING_SECONDS = 15.0
"""The wait for an image file that is still open: the previous session may be ending."""
LAUNCHED_SILENCE_SECONDS = 60.0
"""How long an image file may leave status requests unanswered before it is opened again, which loses work."""
LAUNCHED_STOP_SECONDS = 10.0
"""The wait for an image file's program to end in order before it is killed."""
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


if sys.platform != "win32":
    import fcntl


class LaunchRecord(NamedTuple):
    """An image that was opened: the leader of its process group, and the file with the script that it ran.

    A practice image gets its script as an argument, so that there is no file: `script` is None.
    `owner` is the process of pharo-mcp that closes it in the end; None if it goes on by itself.
    """

    path: str
    image: str
    leader: int
    script: str | None = None
    owner: int | None = None

    @property
    def has_owner(self) -> bool:
        """Whether a process runs that closes the image."""
        return self.owner is not None and is_running(self.owner)

    @property
    def is_orphan(self) -> bool:
        """Whether the process that should have closed the image has ended before."""
        return self.owner is not None and not self.has_owner

    def write(self) -> None:
        """Write the record into its file."""
        with open(self.path, "w", encoding="utf-8") as file:
            json.dump(self._asdict(), file)

    def remove(self) -> None:
        """Remove the file and the script: the image has ended."""
        for path in filter(None, (self.path, self.script)):
            with suppress(OSError):
                os.unlink(path)

    def has_ended(self) -> bool:
        """Return whether the virtual machine has ended."""
        return not _is_locked(self.path)


class StartedBefore:
    """The process of a virtual machine that another process of pharo-mcp has started.

    It has what is needed of `Popen`. Its exit status is unknown, and counts as 0.
    """

    def __init__(self, record: LaunchRecord) -> None:
        self.pid = record.leader
        self._record = record

    def poll(self) -> int | None:
        """See `Popen.poll`."""
        return 0 if self._record.has_ended() else None

    def wait(self, timeout: float | None = None) -> int:
        """See `Popen.wait`."""
        end = None if timeout is None else monotonic() + timeout
        while self.poll() is None:
            if end is not None and monotonic() > end:
                raise TimeoutExpired(self._record.image, timeout or 0)
            sleep(LAUNCH_PAUSE_SECONDS)
        return 0


def folder_beside(connection_files: str) -> str:
    """Return the folder of records beside that of connection files."""
    return os.path.join(os.path.dirname(connection_files), "launched")


@contextmanager
def new_record(folder: str) -> Iterator[tuple[str, int]]:
    """The path of a new record, and its descriptor, which is locked for as long as a process has it open.

    Raises:
        OSError, NothingRan: If there can be none.
    """
    os.makedirs(os.path.dirname(folder), 0o700, exist_ok=True)
    os.makedirs(folder, 0o700, exist_ok=True)
    check_folder(folder)
    descriptor, path = tempfile.mkstemp(".json", dir=folder)
    try:
        _lock(descriptor)
        yield path, descriptor
    finally:
        os.close(descriptor)


def read_launch_records(folder: str) -> Iterator[LaunchRecord]:
    """Yield the records of images that run; those of others are removed.

    Raises:
        NothingRan: If other users could have written them.
    """
    check_folder(os.path.dirname(folder))
    check_folder(folder)
    for path in sorted(glob(os.path.join(escape(folder), "*.json"))):
        record = _read(path)
        if record and record.has_ended():
            record.remove()
        elif record:
            yield record


def take_over(record: LaunchRecord) -> LaunchRecord | None:
    """Own an image whose owner has ended; return its new record, or None if another process was faster."""
    with one_at_a_time(os.path.dirname(record.path)):
        now = _read(record.path)
        if now is None or not now.is_orphan:
            return None
        taken = now._replace(owner=os.getpid())
        taken.write()
        return taken


@contextmanager
def one_at_a_time(folder: str) -> Iterator[None]:
    """Run the block when no other process does; on Windows, which cannot lock a folder, at once."""
    if sys.platform == "win32":
        yield
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        _lock(descriptor)
        yield
    finally:
        os.close(descriptor)


def _read(path: str) -> LaunchRecord | None:
    try:
        with open(path, encoding="utf-8") as file:
            content = json.load(file)
    except (OSError, ValueError):  # removed, or not written yet
        return None
    match content:
        case {
            "image": str(image),
            "leader": int(leader),
            "script": str() | None as script,
            "owner": int() | None as owner,
        }:
            return LaunchRecord(path, image, leader, script, owner)
    return None


def _is_locked(path: str) -> bool:
    try:
        with open(path, "rb") as file:
            _lock(file.fileno(), wait=False)
    except BlockingIOError:
        return True
    except OSError:  # it was removed
        return False
    return False


def _lock(descriptor: int, *, wait: bool = True) -> None:
    """Lock a file until all processes that have it open have closed it. Raises BlockingIOError."""
    if sys.platform != "win32":
        fcntl.flock(descriptor, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)


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

    def command(self, script: str) -> list[str]:
        """Return the command that runs a script in the image and leaves it open."""
        return run_script(self.machine, self.image, script, headless=self.headless)


def launched(launch: Launch, silence: float = LAUNCHED_SILENCE_SECONDS) -> ReplaceableImage:
    """Return an image file that we open; it may leave status requests unanswered for `silence` seconds."""
    return ReplaceableImage(lambda: LaunchedProcess(launch), rules_for(launch, silence))


def rules_for(launch: Launch, silence: float) -> ImageRules:
    """Return the rules for an image file, which belongs to the user."""
    return ImageRules(
        name=launch.image,
        advice=(
            f"Its output is in {launch.log or STDERR}. Ask the user to run `pharo-mcp doctor`, "
            "which checks what else may be wrong."
        ),
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
        must_listen=False,
        replaces_faulty=False,
        starts_again=False,
    )


class LaunchedProcess(ImageProcess[Program]):
    """A virtual machine that runs an image file, and its child processes."""

    def __init__(self, launch: Launch) -> None:
        super().__init__(launch.folder)
        self._launched = launch
        self._record: LaunchRecord | None = None
        self._before: set[ConnectionFile] = set()

    def work(self) -> object:
        """Return an image that saves itself answers nothing, but writes."""
        return [_times(file) for file in files_of(self._launched.image)]

    def wait_until_saved(self, until: float) -> None:
        """See ImageProcess."""

        def ours(images: Sequence[SavedImage]) -> Sequence[SavedImage]:
            return [each for each in images if _is_same_file(each.image, self._launched.image)]

        wait_until_saved(self._launched.folder, ours, until)

    def leave(self) -> None:
        """See ImageProcess."""
        if self._record:
            self._record._replace(owner=None).write()
        if isinstance(self._process, Popen):
            self._process.returncode = 0  # it goes on without us, and nobody need be warned

    def _begin(self) -> Address | str:
        image, end = self._launched.image, monotonic() + IMAGE_CLOSING_SECONDS
        try:
            while is_open(image):
                if orphan := record_of(image, self._launched.folder, orphan=True):
                    return self._take_over(orphan)
                if monotonic() > end or self._stopped.wait(LAUNCH_PAUSE_SECONDS):
                    return OPEN
            self._before = set(connection_files(self._launched.folder))
            process = self._launch()
            return self._await(process) if process else STOPPED
        except ImageError as error:
            return error.message

    def _take_over(self, orphan: LaunchRecord) -> Address | str:
        """Return the address of an image that a session has left; from then on, this one closes it."""
        address = self._find()
        if address is None:
            return LEFT.format(image=self._launched.image)
        self._record = take_over(orphan)
        if self._record is None:
            return OPEN
        with self._lock:
            self._process = StartedBefore(self._record)
        LOG.warning(USED_AGAIN, self._launched.image)
        return address

    def _spawn(self) -> Program:
        launch = self._launched
        descriptor, script = tempfile.mkstemp(suffix=".st", prefix="pharo-mcp-")
        with open(descriptor, "w", encoding="utf-8") as file:
            file.write(start_script(headless=self._launched.headless))
        with ExitStack() as stack:
            path, lock = stack.enter_context(new_record(folder_beside(launch.folder)))
            output = stack.enter_context(open(launch.log, "w", encoding="utf-8")) if launch.log else None
            self._record = LaunchRecord(path, launch.image, 0, script, os.getpid())
            try:
                process = Popen(  # noqa: S603 - the person's own virtual machine
                    launch.command(script),
                    stdin=subprocess.DEVNULL,
                    stdout=output or sys.stderr,
                    stderr=output,
                    text=True,
                    start_new_session=sys.platform != "win32",  # the machine may be a script that starts it
                    pass_fds=() if sys.platform == "win32" else (lock,),
                )
            except OSError:
                self._record.remove()
                raise
        self._record = self._record._replace(leader=process.pid)
        self._record.write()
        return process

    def _await(self, process: Program) -> Address | str:
        end = monotonic() + LAUNCH_SECONDS
        while monotonic() < end:
            if address := self._find():
                return address
            if (status := process.poll()) is not None:
                return f"{how_it_ended(status)} before its companion answered"
            if self._stopped.wait(LAUNCH_PAUSE_SECONDS):
                return STOPPED
        return f"its companion did not answer within {LAUNCH_SECONDS:.0f} seconds"

    def _find(self) -> Address | None:
        """Return an image of that very file has written another connection file, and answers there."""
        with suppress(ImageError):
            for file in connection_files(self._launched.folder):
                if file not in self._before and file.address != self._outcome and self._is_ours(file):
                    return file.address
        return None

    def _is_ours(self, file: ConnectionFile) -> bool:
        if not _is_same_file(file.image, self._launched.image):
            return False
        try:
            CompanionConnection.meet(file.address, monotonic() + LAUNCHED_STOP_SECONDS).close()
        except ImageError:
            return False
        return True

    def _end(self, process: Program) -> None:
        end_processes(process)
        if self._record:
            self._record.remove()
        with suppress(ImageError):  # the image had no time to do it
            remove_connection_files(self._launched.folder, self._is_new)

    def _is_new(self, file: ConnectionFile) -> bool:
        return file not in self._before and _is_same_file(file.image, self._launched.image)

    def _end_at_once(self, process: Program) -> None:
        self._end(process)


def end_processes(process: Program) -> None:
    """End a virtual machine and its children; in order if they do, else at once."""
    for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        try:
            if sys.platform != "win32":
                os.killpg(process.pid, number)
            else:
                os.kill(process.pid, number)
            process.wait(LAUNCHED_STOP_SECONDS)
        except ProcessLookupError:
            break
        except subprocess.TimeoutExpired:
            continue


def end_all(folder: str, image: str | None) -> list[str]:
    """End the images that no process of pharo-mcp will close, or the one of that file; return their files."""
    records = [
        record
        for record in read_launch_records(folder_beside(folder))
        if not record.has_owner and (image is None or _is_same_file(record.image, image))
    ]
    for record in records:
        files = [file for file in connection_files(folder) if _is_same_file(file.image, record.image)]
        end_processes(StartedBefore(record))
        record.remove()
        remove_connection_files(folder, files.__contains__)
    return [record.image for record in records]


def record_of(image: str, folder: str, *, orphan: bool = False) -> LaunchRecord | None:
    """Return the record of an image that runs, or that of an orphan; `folder` is that of connection files."""
    records = read_launch_records(folder_beside(folder))
    found = (each for each in records if _is_same_file(each.image, image) and each.is_orphan >= orphan)
    return next(found, None)


def _is_same_file(one: str, other: str) -> bool:
    return os.path.realpath(one) == os.path.realpath(other)


def _times(file: str) -> tuple[int, int] | None:
    try:
        about = os.stat(file)
    except OSError:
        return None
    return about.st_mtime_ns, about.st_size
