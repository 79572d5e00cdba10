"""Keeps what was read of a folder of Tonel packages for the next start, in the user's cache folder.

What is kept is used only while each file of the folder, and each module that reads or compiles it, has the
size and the time that it had, if this user alone can have written it, and if its checksum is right. Whatever
goes wrong, the folder itself is read.

When an image ends, the code of the methods that it has compiled is added (``keep_code``).
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
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeAlias

from pharo_practice.model.stored_text import (
    CAN_STORE,
    CODE_BITS,
    StoredText,
    descriptor_of,
    keep_open,
    stored_text,
)
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
FAULTS = (OSError, ValueError, EOFError, TypeError, struct.error)
"""What reading or writing a file may raise."""
Code: TypeAlias = Mapping[StoredText, bytes]
"""The packed code of methods, by their sources."""
BEFORE, SIZE = struct.calcsize(PREFIX_OF_FILE), 4
"""Bytes of these two, and of the size of the head."""
COMPILER = ("reading", "tonel", "compiling")
"""The packages that read and compile."""
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
        _keep(place, state, definitions, {})
    return _kept(place, state) or definitions


def _state(files: list[str]) -> list[str] | None:
    """What the definitions in these files depend on; None if they may be changing now."""
    try:
        read = [(path, os.stat(path)) for path in files]
        compiler = [(path, os.stat(path)) for path in _modules()]
    except OSError:
        return None
    if any(status.st_mtime > time.time() - UNSETTLED for _, status in read):
        return None
    described = [f"{path}\0{status.st_size}\0{status.st_mtime_ns}" for path, status in (*compiler, *read)]
    return [str(sys.implementation.cache_tag), sys.byteorder, *described]


def _modules() -> list[str]:
    """The files of the modules that read and compile."""
    top = os.path.dirname(os.path.dirname(__file__))
    folders = [os.path.join(top, name) for name in COMPILER]
    return [
        os.path.join(folder, name)
        for folder in folders
        for name in sorted(os.listdir(folder))
        if name.endswith(".py")
    ]


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
        """The methods; their sources and their code stay in the file, one behind the other."""
        start = self._start
        for class_name, is_meta, selector, protocol, size, code_size in marshal.loads(self._packed):  # noqa: S302
            text = stored_text(self._file, start, size, code_size)
            yield MethodSource(class_name, is_meta, selector, protocol, text)
            start += size + code_size


class Kept(NamedTuple):
    """A file whose texts are in use: where it is, or was, and what it depends on."""

    place: str
    state: list[str]


_kept_files: dict[int, Kept] = {}
"""By their numbers."""


def _kept(place: str, state: list[str]) -> list[Definition] | None:
    """The definitions that are kept in a file; None if there are none that can be trusted."""
    try:
        with open(place, "rb") as file:
            if not _is_private(os.lstat(os.path.dirname(place))) or not _is_private(os.fstat(file.fileno())):
                return None
            found = _definitions(file, state)
            number = keep_open(os.dup(file.fileno()))
    except FAULTS:
        return None
    _kept_files[number] = Kept(place, state)
    return [KeptDefinition(head, packed, number, start) for head, packed, start in found]


def _definitions(file: BinaryIO, state: list[str]) -> list[tuple[tuple[Any, ...], memoryview, int]]:
    """Of each definition in a file its head, its methods, and where the sources of these begin.

    Raises:
        ValueError: If the file is damaged, or was written in another state.
    """
    content = _verified(file)
    start = SIZE + int.from_bytes(content[:SIZE], "big")
    then, heads, sizes = marshal.loads(content[SIZE:start])  # noqa: S302 - only we can have written it
    if then != state:
        raise ValueError("something has changed since")
    ends = list(itertools.accumulate((size for size, _ in sizes), initial=start))
    texts = itertools.accumulate((size for _, size in sizes), initial=BEFORE + len(content))
    return [
        (head, content[begin:end], text)
        for head, (begin, end), text in zip(heads, itertools.pairwise(ends), texts, strict=False)
    ]


def keep_code(code: Code) -> None:
    """Add the packed code of methods to the files in which their sources are kept."""
    for number in {text.file for text in code}:
        place, state = _kept_files[number]
        with suppress(*FAULTS):
            with open(os.dup(descriptor_of(number)), "rb") as file:
                file.seek(0)
                found = _definitions(file, state)
            _keep(place, state, [KeptDefinition(head, each, number, at) for head, each, at in found], code)


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


def _keep(place: str, state: list[str], definitions: Sequence[Definition], code: Code) -> None:
    """Write the definitions to a file, which appears there only when it is complete."""
    folder = os.path.dirname(place)
    os.makedirs(folder, mode=0o700, exist_ok=True)
    content = _packed(state, definitions, code)
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


def _packed(state: list[str], definitions: Sequence[Definition], code: Code) -> bytes:
    """A file: checksum and size; size of a head, the head, the methods; their sources, each with its code."""
    heads = [(each.kind, each.comment, each.properties, each.package) for each in definitions]
    methods: list[bytes] = []
    sizes: list[tuple[int, int]] = []
    texts: list[bytes] = []
    for definition in definitions:
        its_methods = list(definition.methods or definition.take_methods())
        pairs = [(_encoded(method), _code_of(method, code)) for method in its_methods]
        methods.append(
            marshal.dumps(
                [
                    (*method[:-1], len(source), len(packed))
                    for method, (source, packed) in zip(its_methods, pairs, strict=True)
                ]
            )
        )
        its_texts = [text for pair in pairs for text in pair]
        sizes.append((len(methods[-1]), sum(map(len, its_texts))))
        texts += its_texts
    head = marshal.dumps((state, heads, sizes))
    content = b"".join([len(head).to_bytes(SIZE, "big"), head, *methods])
    rest = struct.pack(">I", len(content)) + content + b"".join(texts)
    return struct.pack(">I", zlib.crc32(rest)) + rest


def _encoded(method: MethodSource) -> bytes:
    return method.source.encode("utf-8", "surrogatepass")


def _code_of(method: MethodSource, code: Code) -> bytes:
    """The code to keep with a method: what is new, else what was kept before."""
    if not isinstance(method.stored_source, StoredText):
        return b""
    packed = code.get(method.stored_source, method.stored_source.code)
    return packed if not len(packed) >> CODE_BITS else b""
