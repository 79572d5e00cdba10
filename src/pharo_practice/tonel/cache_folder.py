"""The user's cache folder: which files in it can be trusted, and writing them.

What is kept there is used only if this user alone can have written it.
"""

from __future__ import annotations

import os
import stat
import struct
import sys
import zlib
from collections.abc import Iterable
from contextlib import suppress

FAULTS = (OSError, ValueError, EOFError, TypeError, struct.error)
"""What reading or writing a file may raise, whatever it holds."""


def place_of(name: str) -> str | None:
    """The file of that name in the folder for caches of this program; None where there is no such folder."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = (
            os.environ.get("LOCALAPPDATA", "") if sys.platform == "win32" else os.path.expanduser("~/.cache")
        )
    return os.path.join(base, "pharo-mcp", name) if os.path.isabs(base) else None


def is_trusted(place: str, descriptor: int) -> bool:
    """Whether only this user can have written an open file, or into its folder."""
    return _is_private(os.lstat(os.path.dirname(place))) and _is_private(os.fstat(descriptor))


def _is_private(status: os.stat_result) -> bool:
    """Whether only this user can have written a file or into a folder; Windows protects profiles."""
    if sys.platform == "win32":
        return True
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def write(place: str, content: bytes) -> None:
    """Write a file, which appears only when it is complete; not into a folder that is not private."""
    folder = os.path.dirname(place)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if not _is_private(os.lstat(folder)):
        return
    written = f"{place}-{os.getpid()}"
    try:
        with open(os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
        os.replace(written, place)
    except BaseException:  # a signal may end the program here
        with suppress(OSError):
            os.unlink(written)
        raise


def forget_oldest(place: str, prefix: str, most: int) -> None:
    """Keep no more than so many of the files beside a file whose names begin with the prefix."""
    files = sorted(
        (entry for entry in os.scandir(os.path.dirname(place)) if entry.name.startswith(prefix)),
        key=lambda entry: entry.stat(follow_symlinks=False).st_mtime_ns,
    )
    for entry in files[:-most]:
        os.unlink(entry.path)


def described(path: str, status: os.stat_result) -> str:
    """A file with its size and time."""
    return f"{path}\0{status.st_size}\0{status.st_mtime_ns}"


def state_of(packages: Iterable[str]) -> str:
    """What changes with this Python, and with the modules of some packages of the practice image.

    Raises:
        OSError: If they cannot be found.
    """
    top = os.path.dirname(os.path.dirname(__file__))
    paths = [
        os.path.join(top, package, name)
        for package in packages
        for name in sorted(os.listdir(os.path.join(top, package)))
        if name.endswith(".py")
    ]
    modules = zlib.crc32(os.fsencode("\0".join(described(path, os.stat(path)) for path in paths)))
    return f"{sys.implementation.cache_tag} {sys.hexversion:x} {sys.byteorder} {modules}"
