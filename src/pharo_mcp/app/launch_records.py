"""Records of the images that pharo-mcp has started, by which another process of it finds them again.

A record is a file that the virtual machine inherits open and locked. So it is locked for as long as that
runs, even if pharo-mcp is killed or the companion is stopped. Windows has no such locks: there a record
counts as one of an image that has ended.
"""

import json
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape, glob
from subprocess import TimeoutExpired
from time import monotonic, sleep
from typing import NamedTuple

from pharo_mcp.image.connection.connection_files import check_folder, is_running
from pharo_mcp.times import LAUNCH_PAUSE_SECONDS

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
        """Whether the virtual machine has ended."""
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
    """The folder of records beside that of connection files."""
    return os.path.join(os.path.dirname(connection_files), "launched")


@contextmanager
def new_record(folder: str) -> Iterator[tuple[str, int]]:
    """The path of a new record, and its descriptor, which is locked for as long as a process has it open.

    Raises:
        OSError, FolderUntrusted: If there can be none.
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
    """The records of images that run; those of others are removed.

    Raises:
        FolderUntrusted: If other users could have written them.
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
