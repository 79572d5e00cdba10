"""The file in which the definitions of a folder are kept, with the sources and the packed code of methods.

It begins with a checksum of all the rest and the size of what is read at once: a head, with all definitions
but their methods, and behind it the methods of each definition. Their sources follow, each with its code;
they stay in the file until they are needed.
"""

from __future__ import annotations

import itertools
import marshal
import struct
import zlib
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, BinaryIO, TypeAlias

from pharo_practice.model.stored_text import StoredText, can_store, stored_text
from pharo_practice.tonel.reader import Definition, MethodSource

LARGEST_FILE = 64_000_000
"""Bytes."""
PREFIX = ">II"
"""The checksum of what follows, and the size of what comes before the sources."""
BEFORE, SIZE = struct.calcsize(PREFIX), 4
"""Bytes of these two, and of the size of the head."""
HEAD = ("kind", "comment", "properties", "lines", "path", "others", "package")
"""What is kept of a definition, besides its methods."""
PIECE = 1 << 16
"""Bytes that are read at once to verify the sources."""
State: TypeAlias = list[str]
"""What the content of a file depends on."""
PackedCode: TypeAlias = Mapping[StoredText, bytes]
"""The packed code of methods, by their sources."""


class KeptDefinition(Definition):
    """A definition whose methods are still as they were kept: they are unpacked one class after the other."""

    __slots__ = ("_file", "_packed", "_start")

    def __init__(self, head: tuple[Any, ...], packed: memoryview, file: int, start: int) -> None:
        kind, comment, properties, lines, path, others, package = head
        super().__init__(kind, comment, properties, lines, path, others, [], package)
        self._packed, self._file, self._start = packed, file, start

    def take_methods(self) -> Iterator[MethodSource]:
        """The methods; their sources stay in the file."""
        file, start = self._file, self._start
        for class_name, is_meta, selector, protocol, size, code_size in marshal.loads(self._packed):  # noqa: S302
            text = stored_text(file, start, size, code_size)
            yield MethodSource(class_name, is_meta, selector, protocol, text)
            start += size + code_size


def kept_definitions(file: BinaryIO, number: int, state: State) -> list[KeptDefinition]:
    """The definitions in a file; ``number`` is that by which texts in it will be found.

    Raises:
        ValueError: If the file is damaged, or was written in another state.
    """
    content = _verified(file)
    start = SIZE + int.from_bytes(content[:SIZE], "big")
    then, heads, sizes = marshal.loads(content[SIZE:start])  # noqa: S302 - only we can have written it
    if then != state:
        raise ValueError("something has changed since")
    ends = itertools.accumulate((size for size, _ in sizes), initial=start)
    texts = itertools.accumulate((size for _, size in sizes), initial=BEFORE + len(content))
    return [
        KeptDefinition(head, content[begin:end], number, text)
        for head, (begin, end), text in zip(heads, itertools.pairwise(ends), texts, strict=False)
    ]


def _verified(file: BinaryIO) -> memoryview:
    """What a file holds before the sources, if it is whole."""
    checksum, size = struct.unpack(PREFIX, file.read(BEFORE))
    content = file.read(min(size, LARGEST_FILE))
    found = zlib.crc32(content, zlib.crc32(struct.pack(">I", size)))
    while piece := file.read(PIECE):
        found = zlib.crc32(piece, found)
    if found != checksum:
        raise ValueError("the file is damaged")
    return memoryview(content)


def content_of(definitions: Iterable[Definition], code: PackedCode, state: State) -> bytes:
    """The content of a file with these definitions, and with this code beside that which they have.

    Raises:
        ValueError: If it would be too large.
    """
    heads, methods, sizes, texts = [], [], [], []
    for definition in definitions:
        its_methods = list(definition.methods or definition.take_methods())
        its_texts = [(_encoded(method), _code_of(method, code)) for method in its_methods]
        heads.append(tuple(getattr(definition, name) for name in HEAD))
        methods.append(
            marshal.dumps(
                [
                    (*method[:-1], len(source), len(packed))
                    for method, (source, packed) in zip(its_methods, its_texts, strict=True)
                ]
            )
        )
        texts.append(b"".join(itertools.chain.from_iterable(its_texts)))
        sizes.append((len(methods[-1]), len(texts[-1])))
    head = marshal.dumps((state, heads, sizes))
    content = b"".join([len(head).to_bytes(SIZE, "big"), head, *methods])
    rest = struct.pack(">I", len(content)) + content + b"".join(texts)
    if len(rest) > LARGEST_FILE:
        raise ValueError("there is too much to keep")
    return struct.pack(">I", zlib.crc32(rest)) + rest


def _encoded(method: MethodSource) -> bytes:
    source = method.source.encode("utf-8", "surrogatepass")
    if not can_store(0, len(source)):
        raise ValueError("a method is too long")
    return source


def _code_of(method: MethodSource, code: PackedCode) -> bytes:
    """The code to keep with a method: what is new, else what was kept before."""
    text = method.stored_source
    if not isinstance(text, StoredText):
        return b""
    packed = code.get(text, text.code)
    return packed if can_store(0, 0, len(packed)) else b""
