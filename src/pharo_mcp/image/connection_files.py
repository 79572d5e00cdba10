"""The connection files that companions write.

Writing one is how a person consents; answering at the address in it, with its token, is how an image
proves that it lives. Whatever else lies there is passed over.
"""

import json
import os
import sys
from stat import S_ISDIR, S_ISLNK, S_ISREG, S_IWOTH
from typing import NamedTuple

from .address import Address
from .errors import FolderUntrusted
from .shapes import read

FOLDER = os.path.join(".pharo-mcp", "images")
LARGEST_FILE = 64 * 1024


class ConnectionFile(NamedTuple):
    """What a companion writes about itself; only what is needed to find it and to choose."""

    url: str
    token: str
    name: str
    system: str
    image: str

    @property
    def address(self) -> Address:
        """Where that image should answer."""
        return Address.parse(self.url, self.token)

    def __repr__(self) -> str:
        return f"ConnectionFile({self.name}, {self.url}, token hidden)"


def folder_in(home: str) -> str:
    """Where the connection files of a person are."""
    return os.path.join(home, FOLDER)


def read_connection_file(path: str) -> ConnectionFile:
    """Read one file.

    Raises:
        ValueError: If it is not a connection file of ours, or leads elsewhere than to this machine.
        OSError: If it cannot be read.
    """
    with open(path, "rb", opener=_open_without_waiting) as file:
        about = os.fstat(file.fileno())
        if not S_ISREG(about.st_mode) or about.st_size > LARGEST_FILE:
            raise ValueError("it is no file, or too large")
        if not _is_own(about):
            raise ValueError("it belongs to another user")
        found = read(ConnectionFile, json.loads(file.read(LARGEST_FILE)))
    if found.address.url != found.url:
        raise ValueError("the address is not canonical")
    return found


def connection_files(folder: str) -> list[ConnectionFile]:
    """Every connection file that can be understood, in a stable order.

    Raises:
        FolderUntrusted: If others could have put them there.
    """
    for path in (os.path.dirname(folder), folder):
        check_folder(path)
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    found = set()
    for name in names:
        if name.endswith(".json"):
            try:
                found.add(read_connection_file(os.path.join(folder, name)))
            except (OSError, ValueError, RecursionError):
                continue
    return sorted(found, key=lambda file: (file.name, file.image, file.url, file.token))


def check_folder(path: str) -> None:
    """See that only the person can put files into a folder, if it is there.

    Raises:
        FolderUntrusted: If others can.
    """
    try:
        about = os.lstat(path)
    except OSError:
        return
    if S_ISLNK(about.st_mode):
        raise FolderUntrusted(path, "is a symbolic link")
    if not S_ISDIR(about.st_mode):
        raise FolderUntrusted(path, "is not a folder")
    if not _is_own(about):
        raise FolderUntrusted(path, "belongs to another user")
    if os.name == "posix" and about.st_mode & S_IWOTH:
        raise FolderUntrusted(path, "can be written by other users")


def _is_own(about: os.stat_result) -> bool:
    """Whether the person owns a file or folder; Windows protects the whole profile instead."""
    return sys.platform == "win32" or about.st_uid == os.getuid()


def _open_without_waiting(path: str, flags: int) -> int:
    """Open what may be a pipe that nobody writes to, and no symbolic link."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
