"""Keeps what was read of a folder of Tonel packages for the next start, in the user's cache folder.

What is kept is used only while each file of the folder has the size and the time that it had, if this user
alone can have written it, and if its checksum is right. Whatever goes wrong, the folder itself is read.
"""

from __future__ import annotations

import itertools
import marshal
import os
import stat
import struct
import sys
import time
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

from pharo_practice.model.stored_text import CAN_STORE, keep_open, stored_text
from pharo_practice.tonel import reader
from pharo_practice.tonel.reader import Definition, MethodSource, files_in, read_files

PREFIX = "tonel-"
MOST_FILES = 8
"""Folders that are kept; the least recently written goes first."""
LARGEST_FILE = 64_000_000
"""Bytes."""
UNSETTLED = 2
"""Seconds after a change in which a file could change again without another time or size."""
PREFIX_OF_FILE = ">II"
"""The checksum of what follows, and the size of what comes before the sources."""
BEFORE, SIZE = struct.calcsize(PREFIX_OF_FILE), 4
"""Bytes of these two, and of the size of the head."""
PIECE = 1 << 16
"""Bytes that are read at once to verify the sources."""


def definitions_in(folder: Path) -> list[Definition]:
    """Every definition of every package in a folder of Tonel packages, by package and file name."""
    files = files_in(folder)
    state = _state(files)
    place = _place(folder)
    if state is None or place is None or not CAN_STORE:
        return read_files(files)
    kept = _kept(place, state)
    if kept is not None:
        return kept
    definitions = read_files(files)
    with suppress(OSError, ValueError):
        _keep(place, state, definitions)
    return _kept(place, state) or definitions


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

    __slots__ = ("_file", "_packed", "_start")

    def __init__(self, head: tuple[Any, ...], packed: memoryview, file: int, start: int) -> None:
        kind, comment, properties, package = head
        super().__init__(kind, comment, properties, [], package)
        self._packed, self._file, self._start = packed, file, start

    def take_methods(self) -> Iterator[MethodSource]:
        """The methods; their sources stay in the file, one behind the other."""
        start = self._start
        for class_name, is_meta, selector, protocol, size in marshal.loads(self._packed):  # noqa: S302
            yield MethodSource(class_name, is_meta, selector, protocol, stored_text(self._file, start, size))
            start += size


def _kept(place: str, state: list[str]) -> list[Definition] | None:
    """The definitions that are kept in a file; None if there are none that can be trusted."""
    try:
        with open(place, "rb") as file:
            if not _is_private(os.lstat(os.path.dirname(place))) or not _is_private(os.fstat(file.fileno())):
                return None
            content = _verified(file)
            start = SIZE + int.from_bytes(content[:SIZE], "big")
            then, heads, sizes = marshal.loads(content[SIZE:start])  # noqa: S302 - only we can have written it
            if then != state:
                return None
            number = keep_open(os.dup(file.fileno()))
    except (OSError, ValueError, EOFError, TypeError, struct.error):
        return None
    ends = list(itertools.accumulate((size for size, _ in sizes), initial=start))
    texts = itertools.accumulate((size for _, size in sizes), initial=BEFORE + len(content))
    return [
        KeptDefinition(head, content[begin:end], number, text)
        for head, (begin, end), text in zip(heads, itertools.pairwise(ends), texts, strict=False)
    ]


def _verified(file: BinaryIO) -> memoryview:
    """What a file holds before the sources, if it is whole."""
    checksum, size = struct.unpack(PREFIX_OF_FILE, file.read(BEFORE))
    content = file.read(min(size, LARGEST_FILE))
    found = zlib.crc32(content, zlib.crc32(struct.pack(">I", size)))
    while piece := file.read(PIECE):
        found = zlib.crc32(piece, found)
    if found != checksum:
        raise ValueError("the file is damaged")
    return memoryview(content)


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
    if not _is_private(os.lstat(folder)) or len(content) > LARGEST_FILE:
        return
    written = f"{place}-{os.getpid()}"
    try:
        with open(os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
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
    """A file: checksum and size; the size of a head, the head, and the methods; behind them their sources."""
    heads = [(each.kind, each.comment, each.properties, each.package) for each in definitions]
    texts = [[_encoded(method) for method in each.methods] for each in definitions]
    methods = [
        marshal.dumps(
            [(*method[:-1], len(text)) for method, text in zip(each.methods, its_texts, strict=True)]
        )
        for each, its_texts in zip(definitions, texts, strict=True)
    ]
    sources = [b"".join(each) for each in texts]
    head = marshal.dumps((state, heads, list(zip(map(len, methods), map(len, sources), strict=True))))
    content = b"".join([len(head).to_bytes(SIZE, "big"), head, *methods])
    rest = struct.pack(">I", len(content)) + content + b"".join(sources)
    return struct.pack(">I", zlib.crc32(rest)) + rest


def _encoded(method: MethodSource) -> bytes:
    return method.source.encode("utf-8", "surrogatepass")
