"""Keeps what was read of a folder of Tonel packages for the next start, in the user's cache folder.

What is kept is used only while each file of the folder, and each module that reads or compiles it, has the
size and the time that it had, if this user alone can have written it, and if its checksum is right. Whatever
goes wrong, the folder itself is read.

When an image ends, it adds the code of the methods that it has compiled (``keep_code``).
"""

from __future__ import annotations

import os
import stat
import sys
import time
import zlib
from collections.abc import Iterable
from contextlib import suppress
from typing import NamedTuple

from pharo_practice.model.stored_text import CAN_STORE, descriptor_of, keep_open, next_number
from pharo_practice.tonel.kept_file import FAULTS, PackedCode, State, content_of, kept_definitions
from pharo_practice.tonel.reader import Definition, Folder, files_in, read_files

PREFIX = "tonel-"
MOST_FILES = 12
"""Folders that are kept; the least recently written goes first."""
UNSETTLED = 2
"""Seconds after a change in which a file could change again without another time or size."""
COMPILER = ("reading", "tonel", "compiling")
"""The packages that read and compile."""


def definitions_in(folder: Folder) -> list[Definition]:
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
        _write(place, content_of(definitions, {}, state))
    return _kept(place, state) or definitions


class KeptFile(NamedTuple):
    """A file whose texts are in use: where it is, or was, and what it depends on."""

    place: str
    state: State


_kept_files: dict[int, KeptFile] = {}
"""By their numbers."""


def keep_code(code: PackedCode) -> None:
    """Add the packed code of methods to the files in which their sources are kept."""
    for number in {text.file for text in code}:
        place, state = _kept_files[number]
        with suppress(*FAULTS):
            with open(os.dup(descriptor_of(number)), "rb") as file:
                file.seek(0)
                definitions = kept_definitions(file, number, state)
            _write(place, content_of(definitions, code, state))


def _state(files: list[str]) -> State | None:
    """What the definitions in these files depend on; None if they may be changing now."""
    try:
        read = [(path, os.stat(path)) for path in files]
        compiler = [(path, os.stat(path)) for path in _modules()]
    except OSError:
        return None
    if any(status.st_mtime > time.time() - UNSETTLED for _, status in read):
        return None
    modules = zlib.crc32(os.fsencode("\0".join(_described(*each) for each in compiler)))
    about = f"{sys.implementation.cache_tag} {sys.byteorder} {modules}"
    return [about, *(_described(*each) for each in read)]


def _described(path: str, status: os.stat_result) -> str:
    return f"{path}\0{status.st_size}\0{status.st_mtime_ns}"


def _modules() -> Iterable[str]:
    """The files of the modules that read and compile."""
    top = os.path.dirname(os.path.dirname(__file__))
    for folder in (os.path.join(top, name) for name in COMPILER):
        yield from (os.path.join(folder, name) for name in sorted(os.listdir(folder)) if name.endswith(".py"))


def _place(folder: Folder) -> str | None:
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


def _kept(place: str, state: State) -> list[Definition] | None:
    """The definitions that are kept in a file; None if there are none that can be trusted."""
    try:
        with open(place, "rb") as file:
            if not _is_private(os.lstat(os.path.dirname(place))) or not _is_private(os.fstat(file.fileno())):
                return None
            definitions = kept_definitions(file, next_number(), state)
            number = keep_open(os.dup(file.fileno()))
    except FAULTS:
        return None
    _kept_files[number] = KeptFile(place, state)
    return [*definitions]


def _is_private(status: os.stat_result) -> bool:
    """Whether only this user can have written a file or into a folder; Windows protects profiles."""
    if sys.platform == "win32":
        return True
    return status.st_uid == os.getuid() and not status.st_mode & (stat.S_IWGRP | stat.S_IWOTH)


def _write(place: str, content: bytes) -> None:
    """Write a file, which appears only when it is complete."""
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
    _forget_oldest(folder)


def _forget_oldest(folder: str) -> None:
    """Keep no more than so many files."""
    files = sorted(
        (entry for entry in os.scandir(folder) if entry.name.startswith(PREFIX)),
        key=lambda entry: entry.stat(follow_symlinks=False).st_mtime_ns,
    )
    for entry in files[:-MOST_FILES]:
        os.unlink(entry.path)
