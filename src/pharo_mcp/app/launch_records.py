"""The records of images that may outlive the pharo-mcp that started them: another one ends them by these."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from glob import escape, glob
from time import monotonic, sleep
from typing import NamedTuple, Protocol

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
"""The interval of checks meanwhile."""


class Program(Protocol):
    """A program that runs, as `Popen` has it."""

    @property
    def pid(self) -> int:
        """The number of its process."""

    def poll(self) -> int | None:
        """Return its exit status; None while it runs."""

    def wait(self, timeout: float | None = None) -> int:
        """Return its exit status. Raises TimeoutExpired after these seconds."""


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


def end_recorded(record: LaunchRecord, folder: str, is_its: Callable[[ConnectionFile], bool]) -> None:
    """End an image, and remove its record and those connection files in a folder that are its own."""
    files = list(filter(is_its, connection_files(folder)))
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


def answers(file: ConnectionFile) -> bool:
    """Return whether an image answers where its connection file says."""
    try:
        CompanionConnection.meet(file.address, monotonic() + STOP_SECONDS).close()
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
