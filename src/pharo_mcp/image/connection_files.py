"""The connection files that companions write, and the files about images that are being saved.

A person consents by starting the companion, which writes the file; an image is live if it answers at the
address with the token. Other files in the folder are ignored. While an image is saved its companion
is closed, and opens again at another address.
"""

import os
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from glob import escape, glob
from stat import S_ISDIR, S_ISLNK, S_ISREG, S_IWOTH
from time import monotonic, sleep, time
from typing import NamedTuple

from pharo_mcp import strict_json
from pharo_mcp.address import Address
from pharo_mcp.image.errors import ImageSaving, NothingRan
from pharo_mcp.strict_json import read_shape
from pharo_mcp.times import CONNECT_SECONDS, SAVING_PAUSE_SECONDS

SAVING_SECONDS = 20.0
"""The wait for an image that is being saved until it answers again."""
LONGEST_SAVE_SECONDS = 600.0
"""What takes longer to save has failed to."""

FOLDER = os.path.join(".pharo-mcp", "images")
LARGEST_FILE = 64 * 1024
LOOPBACK = "127.0.0.1"


class ConnectionFile(NamedTuple):
    """What a file of a companion says of its image.

    Of an image that is being saved it has no token, and `url` is where it was before.
    """

    name: str
    system: str
    image: str
    url: str
    token: str = ""
    pid: int | None = None
    host: str | None = None
    session: str = ""

    @property
    def address(self) -> Address:
        """The address of the image. Raises ValueError if it is not one on this computer, with a token."""
        return Address.parse(self.url, self.token)

    def __repr__(self) -> str:
        return f"ConnectionFile({self.name}, {self.url}, token hidden)"


def folder_in(home: str) -> str:
    """Return the folder of connection files in a home folder."""
    return os.path.join(home, FOLDER)


def read_connection_file(path: str) -> ConnectionFile:
    """Read one file.

    Raises:
        ValueError: If it is not a connection file, or its address is not on this computer.
        OSError: If it cannot be read.
    """
    found = read_shape(ConnectionFile, read_own_file(path))
    if found.address.url != found.url:
        raise ValueError("the address is not canonical")
    return found


def read_own_file(path: str) -> object:
    """Return the JSON in a file that a companion has written.

    Raises:
        ValueError: If it is none.
        OSError: If it cannot be read.
    """
    with open(path, "rb", opener=_open_without_waiting) as file:
        about = os.fstat(file.fileno())
        if not S_ISREG(about.st_mode) or about.st_size > LARGEST_FILE:
            raise ValueError("it is not a regular file, or too large")
        if not _is_own(about):
            raise ValueError("it belongs to another user")
        return strict_json.read(file.read(LARGEST_FILE).decode())


def connection_files(folder: str) -> list[ConnectionFile]:
    """Return all valid connection files, in a stable order; those of images that have died are removed.

    Raises:
        NothingRan: If other users could have written them.
    """
    remove_connection_files(folder, has_died)
    found = set(_by_path(folder).values())
    return sorted(found, key=lambda file: (file.name, file.image, file.url, file.token))


def remove_connection_files(folder: str, is_dead: Callable[[ConnectionFile], bool]) -> None:
    """Remove the connection files of images that have ended.

    Raises:
        NothingRan: If other users could have written them.
    """
    for path, file in _by_path(folder).items():
        if is_dead(file):
            with suppress(OSError):
                os.unlink(path)


def _by_path(
    folder: str, ending: str = ".json", read_file: Callable[[str], ConnectionFile] = read_connection_file
) -> dict[str, ConnectionFile]:
    """Return the files with that ending that can be read."""
    for path in (os.path.dirname(folder), folder):
        check_folder(path)
    found = {}
    for path in glob(os.path.join(escape(folder), f"*{ending}")):
        with suppress(OSError, ValueError, RecursionError):
            found[path] = read_file(path)
    return found


def has_died(file: ConnectionFile) -> bool:
    """Return whether the image of a connection file has certainly ended without removing it.

    Its process was one of this computer, and is gone; nothing listens at its address either, as a process
    in a container might whose number is another one here.
    """
    if not is_gone(file.pid, file.host):
        return False
    try:
        socket.create_connection((LOOPBACK, file.address.port), CONNECT_SECONDS).close()
    except ConnectionRefusedError:
        return True
    except OSError:
        return False
    return False


def is_gone(pid: int | None, host: str | None) -> bool:
    """Return whether a process was one of this computer and has ended."""
    if pid is None or is_running(pid):
        return False
    return host == socket.gethostname()


def is_running(pid: int) -> bool:
    """Return whether a process of that number runs on this computer, or that cannot be found out."""
    if sys.platform == "win32":  # there, signal 0 would be one to end it
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:  # another user's
        return True
    return True


def check_folder(path: str) -> None:
    """Check that only the current user can write to a folder; it need not exist.

    Raises:
        NothingRan: If others can.
    """
    try:
        about = os.lstat(path)
    except OSError:
        return
    if S_ISLNK(about.st_mode):
        raise _untrusted(path, "is a symbolic link")
    if not S_ISDIR(about.st_mode):
        raise _untrusted(path, "is not a folder")
    if not _is_own(about):
        raise _untrusted(path, "belongs to another user")
    if os.name == "posix" and about.st_mode & S_IWOTH:
        raise _untrusted(path, "can be written by other users", f"run `chmod go-w {path}`")


def _untrusted(path: str, reason: str, fix: str | None = None) -> NothingRan:
    return NothingRan(
        f"Connection files are not read: {path} {reason}, so other users could direct pharo-mcp to a "
        f"program of theirs. Nothing ran.\nAsk the user to {fix or f'remove {path}'} and then to evaluate in "
        "the image: PharoMcp stop; start",
        "untrustedFolder",
    )


def _is_own(about: os.stat_result) -> bool:
    """Return whether the current user owns a file or folder; on Windows the profile protects them."""
    return sys.platform == "win32" or about.st_uid == os.getuid()


def _open_without_waiting(path: str, flags: int) -> int:
    """Open a file without blocking on a pipe, and without following a symbolic link."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))


def images_being_saved(folder: str) -> list[ConnectionFile]:
    """Return the images that are being saved, by their files in the folder of connection files.

    Raises:
        NothingRan: If other users could have written them.
    """
    found = _by_path(folder, ".saving", lambda path: read_shape(ConnectionFile, read_own_file(path)))
    closed = [saved for path, saved in found.items() if _is_saving(saved, path)]
    if not closed:
        return []
    files = connection_files(folder)
    return sorted(saved for saved in closed if not any(_follows(file, saved) for file in files))


def wait_until_saved(
    folder: str, meant: Callable[[Sequence[ConnectionFile]], Sequence[ConnectionFile]], until: float
) -> None:
    """Wait while an image is being saved that is meant, but not longer than until then.

    Raises:
        ImageSaving: If it still is.
    """
    begun = monotonic()
    end = min(until, begun + SAVING_SECONDS)
    while saved := meant(images_being_saved(folder)):
        if monotonic() + SAVING_PAUSE_SECONDS > end:
            raise ImageSaving(saved[0].name, monotonic() - begun)
        sleep(SAVING_PAUSE_SECONDS)


def _follows(file: ConnectionFile, saved: ConnectionFile) -> bool:
    """Return whether an image that was being saved is open again."""
    same = (file.pid, file.image) == (saved.pid, saved.image)
    return same and file.session != saved.session


def _is_saving(saved: ConnectionFile, path: str) -> bool:
    """Return whether an image is still being saved. The file of one that has ended meanwhile is removed."""
    with suppress(OSError):  # another process may have removed it
        if time() - os.stat(path).st_mtime > LONGEST_SAVE_SECONDS:
            return False
        if not is_gone(saved.pid, saved.host):
            return True
        os.unlink(path)
    return False
