"""The connection files that companions write.

Writing one is how a person consents; answering at the address in it, with its token, is how an image
proves that it lives. Whatever else lies there is passed over.
"""

import json
import os
from stat import S_ISREG
from typing import NamedTuple

from .address import Address
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
        ValueError: If it is not a connection file, or leads elsewhere than to this machine.
        OSError: If it cannot be read.
    """
    with open(path, "rb", opener=_open_without_waiting) as file:
        about = os.fstat(file.fileno())
        if not S_ISREG(about.st_mode) or about.st_size > LARGEST_FILE:
            raise ValueError("it is no file, or too large")
        found = read(ConnectionFile, json.loads(file.read(LARGEST_FILE)))
    if found.address.url != found.url:
        raise ValueError("the address is not canonical")
    return found


def connection_files(folder: str) -> list[ConnectionFile]:
    """Every connection file that can be understood, in a stable order."""
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


def _open_without_waiting(path: str, flags: int) -> int:
    """Open what may be a pipe that nobody writes to."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))
