"""Keeps what was read of a folder of Tonel packages for the next start, in the user's cache folder.

What is kept is used only while each file of the folder, and each module that reads or compiles it, has the
size and the time that it had, if this user alone can have written it, and if its checksum is right. Whatever
goes wrong, the folder itself is read.

When an image ends, it adds the code of the methods that it has compiled (``keep_code``).
"""

from __future__ import annotations

import os
import time
import zlib
from contextlib import suppress
from typing import NamedTuple

from pharo_practice.model.stored_text import CAN_STORE, descriptor_of, keep_open, next_number
from pharo_practice.tonel.cache_folder import (
    FAULTS,
    described,
    forget_oldest,
    is_trusted,
    place_of,
    state_of,
    write,
)
from pharo_practice.tonel.kept_file import PackedCode, State, content_of, kept_definitions
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
        _keep(place, content_of(definitions, {}, state))
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
            _keep(place, content_of(definitions, code, state))


def _state(files: list[str]) -> State | None:
    """What the definitions in these files depend on; None if they may be changing now."""
    try:
        read = [(path, os.stat(path)) for path in files]
        about = state_of(COMPILER)
    except OSError:
        return None
    if any(status.st_mtime > time.time() - UNSETTLED for _, status in read):
        return None
    return [about, *(described(*each) for each in read)]


def _place(folder: Folder) -> str | None:
    """The file for what is kept of a folder; None where there is no folder for caches."""
    return place_of(f"{PREFIX}{zlib.crc32(os.fsencode(os.path.abspath(folder))):08x}")


def _keep(place: str, content: bytes) -> None:
    """Write a file, and remove the oldest ones if there are too many."""
    write(place, content)
    forget_oldest(place, PREFIX, MOST_FILES)


def _kept(place: str, state: State) -> list[Definition] | None:
    """The definitions that are kept in a file; None if there are none that can be trusted."""
    try:
        with open(place, "rb") as file:
            if not is_trusted(place, file.fileno()):
                return None
            definitions = kept_definitions(file, next_number(), state)
            number = keep_open(os.dup(file.fileno()))
    except FAULTS:
        return None
    _kept_files[number] = KeptFile(place, state)
    return [*definitions]
