"""Keeps what was read of a folder of Tonel packages for the next start, in the user's cache folder.

What is kept is used only while each file of the folder has the size and the time that it had, if this user
alone can have written it, and if its checksum is right. Whatever goes wrong, the folder itself is read.
"""

from __future__ import annotations

import itertools
import marshal
import os
import stat
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from pharo_practice.tonel import reader
from pharo_practice.tonel.reader import Definition, MethodSource, files_in, read_files

PREFIX = "tonel-"
MOST_FILES = 8
"""Folders that are kept; the least recently written goes first."""
LARGEST_FILE = 64_000_000
"""Bytes."""
UNSETTLED = 2
"""Seconds after a change in which a file could change again without another time or size."""
CHECKSUM, SIZE = 4, 4
"""Bytes of the checksum of all that follows, and of the size of the head."""


def definitions_in(folder: Path) -> list[Definition]:
    """Every definition of every package in a folder of Tonel packages, by package and file name."""
    files = files_in(folder)
    state = _state(files)
    place = _place(folder)
    if state is None or place is None:
        return read_files(files)
    kept = _kept(place, state)
    if kept is None:
        kept = read_files(files)
        with suppress(OSError, ValueError):
            _keep(place, state, kept)
    return kept


def _state(files: list[str]) -> list[str] | None:
    """What the definitions in these files depend on; None if they may be changing now."""
    try:
        read = [(path, os.stat(path)) for path in files]
        readers = [(path, os.stat(path)) for path in (reader.__file__, __file__)]
    except OSError:
        return None
    if any(status.st_mtime > time.time() - UNSETTLED for _, status in read):
        return None
    described = [f"{path}\0{status.st_size}\0{status.st_mtime_ns}" for path, status in (*readers, *read)]
    return [str(sys.implementation.cache_tag), *described]


def _place(folder: Path) -> str | None:
    """The file for what is kept of a folder; None where there is no folder for caches."""
    caches = _cache_folder()
    name = f"{PREFIX}{zlib.crc32(os.fsencode(os.path.abspath(folder))):08x}"
    return None if caches is None else os.path.join(caches, name)


def _cache_folder() -> str | None:
    """The folder for caches of this program; None where there is none."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    if not os.path.isabs(base):
        base = (
            os.environ.get("LOCALAPPDATA", "") if sys.platform == "win32" else os.path.expanduser("~/.cache")
        )
    return os.path.join(base, "pharo-mcp") if os.path.isabs(base) else None


class KeptDefinition(Definition):
    """A definition whose methods are still as they were kept: they are unpacked one class after the other."""

    __slots__ = ("_packed",)

    def __init__(self, head: tuple[Any, ...], packed: memoryview) -> None:
        kind, comment, properties, package = head
        super().__init__(kind, comment, properties, [], package)
        self._packed = packed

    def take_methods(self) -> Iterator[MethodSource]:
        """The methods."""
        methods: list[MethodSource] = marshal.loads(self._packed)  # noqa: S302 - only we can have written it
        self._packed = self._packed[:0]
        return itertools.starmap(MethodSource, methods)


def _kept(place: str, state: list[str]) -> list[Definition] | None:
    """The definitions that are kept in a file; None if there are none that can be trusted."""
    try:
        with open(place, "rb") as file:
            status = os.fstat(file.fileno())
            if not (_is_private(os.lstat(os.path.dirname(place))) and _is_private(status)):
                return None
            content = memoryview(file.read() if status.st_size <= LARGEST_FILE else b"")
        if _checksum(content[CHECKSUM:]) != content[:CHECKSUM]:
            return None
        start = CHECKSUM + SIZE + int.from_bytes(content[CHECKSUM : CHECKSUM + SIZE], "big")
        then, heads, sizes = marshal.loads(content[CHECKSUM + SIZE : start])  # noqa: S302 - as above
        ends = list(itertools.accumulate(sizes, initial=start))
        if then != state or len(heads) != len(sizes):
            return None
        return [
            KeptDefinition(head, content[begin:end])
            for head, (begin, end) in zip(heads, itertools.pairwise(ends), strict=True)
        ]
    except (OSError, ValueError, EOFError, TypeError):
        return None


def _checksum(content: bytes | memoryview) -> bytes:
    return zlib.crc32(content).to_bytes(CHECKSUM, "big")


def _is_private(status: os.stat_result) -> bool:
    """Whether only this user can have written a file or into a folder; Windows protects profiles."""
    if sys.platform == "win32":
        return True
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _keep(place: str, state: list[str], definitions: list[Definition]) -> None:
    """Write the definitions to a file, which appears there only when it is complete."""
    folder = os.path.dirname(place)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    content = _packed(state, definitions)
    if not _is_private(os.lstat(folder)) or len(content) + CHECKSUM > LARGEST_FILE:
        return
    written = f"{place}-{os.getpid()}"
    try:
        with open(os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(_checksum(content) + content)
        os.replace(written, place)
    except OSError:
        with suppress(OSError):
            os.unlink(written)
        raise
    _forget_oldest(folder)


def _forget_oldest(folder: str) -> None:
    """Keep no more than so many files."""
    files = sorted(
        (entry for entry in os.scandir(folder) if entry.name.startswith(PREFIX)),
        key=lambda entry: entry.stat(follow_symlinks=False).st_mtime_ns,
    )
    for entry in files[:-MOST_FILES]:
        os.unlink(entry.path)


def _packed(state: list[str], definitions: list[Definition]) -> bytes:
    """What is kept: the size of a head, the head, and the methods of each definition."""
    heads = [(each.kind, each.comment, each.properties, each.package) for each in definitions]
    methods = [marshal.dumps([tuple(method) for method in each.methods]) for each in definitions]
    head = marshal.dumps((state, heads, list(map(len, methods))))
    return b"".join([len(head).to_bytes(SIZE, "big"), head, *methods])
