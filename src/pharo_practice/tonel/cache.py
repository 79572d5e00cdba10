"""Keeps what was read of a folder of Tonel packages for the next start: a file in the user's cache folder.

It is used only while every file of the folder, and every module that reads them, has the size and the time
that it had, and if this user alone can have written it. Whatever goes wrong, the folder itself is read.
"""

from __future__ import annotations

import marshal
import os
import stat
import sys
import time
import zlib
from contextlib import suppress

from pharo_practice.tonel.reader import Definition, Folder, MethodSource, files_in, read_files

UNSETTLED = 2
"""Seconds after a change in which a file could change again without another time or size."""
CHECKSUM = 4
"""Bytes at the beginning: the checksum of all that follows."""
MODULES = os.path.dirname(__file__)


def definitions_in(folder: Folder) -> list[Definition]:
    """Every definition of every package in a folder of Tonel packages, by package and file name.

    Raises:
        TonelError: If some files are not Tonel.
    """
    files = files_in(folder)
    state, path = _state(files), _path(folder)
    if state is None or path is None:
        return read_files(files)
    with suppress(OSError, ValueError, EOFError, TypeError):  # there may be anything in a file
        return _kept(path, state)
    definitions = read_files(files)
    with suppress(OSError):
        _keep(
            path,
            marshal.dumps((state, [_parts(each) for each in definitions])),
        )
    return definitions


def _state(files: list[str]) -> list[str] | None:
    """What the definitions in these files depend on; None if a file may be changing now."""
    modules = [os.path.join(MODULES, name) for name in sorted(os.listdir(MODULES)) if name.endswith(".py")]
    found = [sys.implementation.cache_tag or "", sys.version]
    for path in (*modules, *files):
        try:
            status = os.stat(path)
        except OSError:
            return None
        if path not in modules and status.st_mtime > time.time() - UNSETTLED:
            return None
        found.append(f"{path} {status.st_size} {status.st_mtime_ns}")
    return found


def _path(folder: Folder) -> str | None:
    """The file for what is kept of a folder; None where there is no folder for caches."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = os.environ.get("LOCALAPPDATA") or os.path.expanduser("~/.cache")
    name = f"tonel-{zlib.crc32(os.fsencode(os.path.abspath(folder))):08x}"
    return os.path.join(base, "pharo-mcp", name) if os.path.isabs(base) else None


def _kept(path: str, state: list[str]) -> list[Definition]:
    """The definitions in a file.

    Raises:
        ValueError: If somebody else can have written it, or it is damaged or of another state.
    """
    with open(path, "rb") as file:
        if not (_is_private(os.lstat(os.path.dirname(path))) and _is_private(os.fstat(file.fileno()))):
            raise ValueError("others can write it")
        checksum, content = file.read(CHECKSUM), file.read()
    if int.from_bytes(checksum, "big") != zlib.crc32(content):
        raise ValueError("it is damaged")
    then, kept = marshal.loads(content)  # noqa: S302 - only we can have written it
    if then != state:
        raise ValueError("something has changed since")
    definitions = [Definition(*parts) for parts in kept]
    for definition in definitions:
        definition.methods = [MethodSource(*each) for each in definition.methods]
    return definitions


def _parts(each: Definition) -> tuple[object, ...]:
    """What makes a definition."""
    methods = [*map(tuple, each.methods)]
    return each.kind, each.comment, each.path, each.properties, each.lines, each.others, methods


def _is_private(status: os.stat_result) -> bool:
    """Whether only this user can have written a file or into a folder; Windows protects profiles."""
    if sys.platform == "win32":
        return True
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _keep(path: str, content: bytes) -> None:
    """Write a file, which appears when it is complete."""
    folder, written = os.path.dirname(path), f"{path}-{os.getpid()}"
    os.makedirs(folder, mode=0o700, exist_ok=True)
    if not _is_private(os.lstat(folder)):
        return
    try:
        with open(os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(zlib.crc32(content).to_bytes(CHECKSUM, "big") + content)
        os.replace(written, path)
    finally:  # a signal may end the program before
        with suppress(OSError):
            os.unlink(written)
