"""The processes of images that we start: found by their connection files, and ended.

What may outlive the pharo-mcp that started it has a record, by which another one ends it.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from glob import escape, glob
from threading import Event, Lock, Thread
from time import monotonic, sleep
from typing import Any, NamedTuple

from pharo_mcp.address import Address
from pharo_mcp.image.connection import CompanionConnection
from pharo_mcp.image.connection_files import (
    ConnectionFile,
    check_folder,
    connection_files,
    is_running,
    remove_connection_files,
)
from pharo_mcp.image.errors import ImageError

if sys.platform != "win32":
    import fcntl

STOP_SECONDS = 10.0
"""The wait for a program to end in order before it is killed."""
PAUSE_SECONDS = 0.05
"""The interval of checks meanwhile, and of looks for a connection file."""
EXIT_SECONDS = 1.0
"""The wait for the exit status of a process that seems to have ended."""
FIRST_ANSWER_SECONDS = 10.0
"""The first answer of an image that a command has started."""
SIGNAL_CHECK_SECONDS = 1.0
"""The interval of checks for signals meanwhile, which do not end every wait."""
STOPPED = "it was stopped"


class LaunchRecord(NamedTuple):
    """An image that was started: its file or name, its process, and the file with the script that it ran.

    `owner` is the process of pharo-mcp that closes it in the end; None if it goes on by itself. A record has
    what is needed of `Popen`; the exit status is unknown, and counts as 0.
    """

    path: str
    image: str
    pid: int
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

    def has_written(self, file: ConnectionFile) -> bool:
        """Return whether the image has written a connection file.

        A child of the process may run an image file. A practice image has a name, which is no path.
        """
        return file.pid == self.pid or (os.path.isabs(self.image) and is_same_file(file.image, self.image))

    def poll(self) -> int | None:
        """See `Popen.poll`."""
        return None if self._is_running() else 0

    def wait(self, timeout: float | None = None) -> int:
        """See `Popen.wait`."""
        end = None if timeout is None else monotonic() + timeout
        while self.poll() is None:
            if end is not None and monotonic() > end:
                raise subprocess.TimeoutExpired(self.image, timeout or 0)
            sleep(PAUSE_SECONDS)
        return 0

    def _is_running(self) -> bool:
        if sys.platform != "win32":
            return _is_locked(self.path)
        # Windows has no lock that a child process inherits.
        folder = os.path.join(os.path.dirname(os.path.dirname(self.path)), "images")
        return any(file.pid == self.pid and answers(file) for file in connection_files(folder))

    def taken_over(self) -> "LaunchRecord | None":
        """Own an image whose owner has ended; return its new record, None if another process was faster."""
        with one_at_a_time(os.path.dirname(self.path)):
            now = _read(self.path)
            if now is None or not now.is_orphan:
                return None
            taken = now._replace(owner=os.getpid())
            taken.write()
            return taken


Program = subprocess.Popen[Any] | LaunchRecord
"""A program that runs."""


def spawn_recorded(
    command: list[str], folder: str, record: LaunchRecord, log: str | None = None
) -> "tuple[subprocess.Popen[str], LaunchRecord]":
    """Start a program, and write its record into a folder.

    Its output goes into the file `log`, or else to our standard error. It leads a session of its own: it may
    be a script that starts the virtual machine, and a terminal that is closed does not end it.

    Raises:
        OSError, NothingRan: If it cannot be started.
    """
    with ExitStack() as stack:
        path, lock = stack.enter_context(new_record(folder))
        output = stack.enter_context(open(log, "w", encoding="utf-8")) if log else None
        try:
            process = subprocess.Popen(  # noqa: S603 - our own program, or the person's own virtual machine
                command,
                stdin=subprocess.DEVNULL,
                stdout=output or standard_error(),
                stderr=output,
                text=True,
                pass_fds=() if sys.platform == "win32" else (lock,),
                start_new_session=True,
                creationflags=getattr(subprocess, "DETACHED_PROCESS", 0) if log else 0,  # the same on Windows
            )
        except OSError:
            record._replace(path=path).remove()
            raise
    written = record._replace(path=path, pid=process.pid)
    written.write()
    return process, written


def standard_error() -> int:
    """Return our standard error for the output of an image, or the null device's number if it is closed."""
    try:
        return sys.stderr.fileno()
    except OSError:
        return subprocess.DEVNULL


@contextmanager
def new_record(folder: str) -> Iterator[tuple[str, int]]:
    """The path of a new record, and its descriptor, which is locked for as long as a process has it open.

    Raises:
        OSError, NothingRan: If there can be none.
    """
    make_folder(folder)
    check_folder(folder)
    descriptor, path = tempfile.mkstemp(".json", dir=folder)
    try:
        _lock(descriptor)
        yield path, descriptor
    finally:
        os.close(descriptor)


def make_folder(folder: str) -> None:
    """Make a folder of records, which others cannot write into."""
    os.makedirs(os.path.dirname(folder), 0o700, exist_ok=True)
    os.makedirs(folder, 0o700, exist_ok=True)


def launch_records(folder: str) -> list[LaunchRecord]:
    """Return the records of images that run; those of others are removed.

    Raises:
        NothingRan: If other users could have written them.
    """
    check_folder(os.path.dirname(folder))
    check_folder(folder)
    found = list(filter(None, map(_read, sorted(glob(os.path.join(escape(folder), "*.json"))))))
    for record in found:
        if record.poll() is not None:
            record.remove()
    return [record for record in found if os.path.exists(record.path)]


def end_recorded(record: LaunchRecord, folder: str) -> None:
    """End an image, and remove its record and those connection files in a folder that are its own."""
    files = list(filter(record.has_written, connection_files(folder)))
    end_processes(record)
    record.remove()
    remove_connection_files(folder, files.__contains__)


def end_processes(process: Program) -> None:
    """End a program, with its group if it leads one; in order if it does that in time, else at once."""
    for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        try:
            _signal(process.pid, number)
            process.wait(STOP_SECONDS)
        except ProcessLookupError:
            break
        except subprocess.TimeoutExpired:
            continue


def _signal(pid: int, number: int) -> None:
    if sys.platform != "win32":
        try:
            os.killpg(pid, number)
        except ProcessLookupError:  # it leads no group
            pass
        else:
            return
    os.kill(pid, number)


def is_same_file(one: str, other: str) -> bool:
    """Return whether two paths lead to the same file."""
    return os.path.realpath(one) == os.path.realpath(other)


def answers(file: ConnectionFile) -> bool:
    """Return whether an image answers where its connection file says."""
    try:
        CompanionConnection.connect(file.address, monotonic() + STOP_SECONDS).close()
    except ImageError:
        return False
    return True


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
            "pid": int(pid),
            "script": str() | None as script,
            "owner": int() | None as owner,
        }:
            return LaunchRecord(path, image, pid, script, owner)
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


def how_it_ended(status: int) -> str:
    """Return the words for an exit status, as `Popen.returncode` has it: negative after a signal."""
    if status >= 0:
        return f"it ended with status {status}"
    try:
        return f"it was ended by {signal.Signals(-status).name}"
    except ValueError:  # of real-time signals
        return f"it was ended by signal {-status}"


class ImageFailed(Exception):
    """An image of ours did not start, has died or hangs; the message is why, as part of a sentence."""


class ImageProcess(ABC):
    """Starts an image in the background, finds it by its connection file, and ends it.

    Its companion writes that into `folder`; an image that has not done so within `seconds` has not started.
    """

    def __init__(self, folder: str, seconds: float) -> None:
        self.folder = folder
        self._seconds = seconds
        self._lock = Lock()  # between starting and ending
        self._known = Event()
        self._ended = Event()
        self._process: Program | None = None
        self._address: Address | None = None
        self._failure = "it was not started"
        self._before: set[ConnectionFile] = set()

    def start(self) -> None:
        """Start the image in the background. Called once."""
        Thread(target=self._run, name="own image", daemon=True).start()

    def address(self, until: float) -> Address | None:
        """Return its address; None if it is not known by then.

        Raises:
            ImageFailed: If it did not start.
        """
        if self._known.wait(max(0.0, until - monotonic())) and self._address is None:
            raise ImageFailed(self._failure)
        return self._address

    def status(self, seconds: float = EXIT_SECONDS) -> int | None:
        """Return its exit status; None if it still runs after these seconds."""
        if self._process is None:
            return None
        try:
            return self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None

    def has_moved(self) -> bool:
        """Return whether an image that does not answer has a new address, which is used from then on.

        The address changes whenever the companion is started again, for example after a save.
        """
        found = self._find()
        if found is None or found == self._address:
            return False
        self._address = found
        return True

    def end(self, *, at_once: bool = False) -> None:
        """End it, in order if it does that in time, and never start it after that."""
        with self._lock:
            self._ended.set()
            process = self._process
        if process:
            self._end(process, at_once=at_once)

    def work(self) -> object:
        """Return a value that changes while the image works without answering, as when it is saved."""
        return None

    def wait_until_saved(self, until: float) -> None:
        """Wait while it is being saved.

        Raises:
            ImageSaving: If it still is then.
        """
        return

    @abstractmethod
    def _spawn(self) -> Program:
        """Return the program, started."""

    @abstractmethod
    def _end(self, process: Program, *, at_once: bool) -> None:
        """End the program."""

    def _is_its(self, file: ConnectionFile) -> bool:
        """Return whether the image has written a connection file."""
        return self._process is not None and file.pid == self._process.pid

    def _is_usable(self, file: ConnectionFile) -> bool:
        """Return whether the image is where one of its connection files says."""
        return True

    def _run(self) -> None:
        try:
            self._address = self._open()
        except OSError as error:
            self._failure = f"it could not be started ({error})"
        except (ImageError, ImageFailed) as error:
            self._failure = str(error)
        self._known.set()

    def _open(self) -> Address:
        """Start the image and wait for it, unless it is ended; return its address.

        Raises:
            ImageFailed, OSError, ImageError: If it has none.
        """
        self._before = set(connection_files(self.folder))
        with self._lock:
            if self._ended.is_set():
                raise ImageFailed(STOPPED)
            self._process = process = self._spawn()
        end = monotonic() + self._seconds
        while monotonic() < end:
            if address := self._find():
                return address
            if (status := process.poll()) is not None:
                raise ImageFailed(f"{how_it_ended(status)} before its companion answered")
            if self._ended.wait(PAUSE_SECONDS):
                raise ImageFailed(STOPPED)
        raise ImageFailed(f"its companion did not answer within {self._seconds:.0f} seconds")

    def _find(self) -> Address | None:
        """Return its current address, if it can be found."""
        with suppress(ImageError):
            for file in connection_files(self.folder):
                if file.address != self._address and self._is_new(file) and self._is_usable(file):
                    return file.address
        return None

    def _is_new(self, file: ConnectionFile) -> bool:
        return file not in self._before and self._is_its(file)


class RecordedProcess(ImageProcess):
    """An image that can outlive us, and is then ended by its record."""

    _record: LaunchRecord | None = None

    def open(self) -> CompanionConnection:
        """Start the image and wait for it; return its first connection.

        Raises:
            ImageFailed: If it did not start.
            ImageError: If it does not answer.
        """
        self.start()
        while (address := self.address(monotonic() + SIGNAL_CHECK_SECONDS)) is None:
            continue
        return CompanionConnection.connect(address, monotonic() + FIRST_ANSWER_SECONDS)

    def leave(self) -> None:
        """Let the image go on when we end."""
        if self._record:
            self._record._replace(owner=None).write()
        if isinstance(self._process, subprocess.Popen):
            self._process.returncode = 0  # nobody need be warned that it still runs

    def _end(self, process: Program, *, at_once: bool) -> None:
        end_processes(process)
        if self._record:
            self._record.remove()
        with suppress(ImageError):  # the image had no time to do it
            remove_connection_files(self.folder, self._is_new)
