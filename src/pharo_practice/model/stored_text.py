"""Text that stays in a file until somebody reads it: the source of most methods is never looked at.

Behind the source of a method there may be its code, as `compiling.packing` packs it.
"""

from __future__ import annotations

import os
import sys

if sys.platform == "win32":

    def read_at(descriptor: int, size: int, start: int) -> bytes:
        """Read bytes of a file from a place in it."""
        os.lseek(descriptor, start, os.SEEK_SET)
        return os.read(descriptor, size)
else:
    from os import pread as read_at

START_BITS, SIZE_BITS, CODE_BITS = 26, 18, 14
"""Of the place in the file, and of the number of bytes of the text and of the code there."""


class StoredText(int):
    """Where a text is: its file, its place there and its sizes, in one number, because there are so many."""

    __slots__ = ()

    def __str__(self) -> str:
        """The text, with the line endings of Smalltalk."""
        return self.data.decode("utf-8", "surrogatepass")

    @property
    def data(self) -> bytes:
        """The text in UTF-8, with the line endings of Smalltalk."""
        # As `start`, `size` and `file`, but in fewer steps: a search reads the sources of all methods.
        place = self >> CODE_BITS
        size = place & (1 << SIZE_BITS) - 1
        place >>= SIZE_BITS
        data = read_at(_descriptors[place >> START_BITS], size, place & (1 << START_BITS) - 1)
        if len(data) != size:
            raise OSError("the file in which the sources of methods are kept was cut")
        return data.replace(b"\n", b"\r")

    @property
    def code(self) -> bytes:
        """The packed code of the method; empty if none was kept."""
        size = self & ((1 << CODE_BITS) - 1)
        return read_at(_descriptors[self.file], size, self.start + self.size) if size else b""

    @property
    def size(self) -> int:
        """How many bytes the text has."""
        return (self >> CODE_BITS) & ((1 << SIZE_BITS) - 1)

    @property
    def start(self) -> int:
        """Where the text begins in its file."""
        return (self >> (CODE_BITS + SIZE_BITS)) & ((1 << START_BITS) - 1)

    @property
    def file(self) -> int:
        """The number of the file."""
        return self >> (CODE_BITS + SIZE_BITS + START_BITS)


def can_store(start: int, size: int, code_size: int = 0) -> bool:
    """Whether there is a number for such a place and such sizes."""
    return not (start >> START_BITS or size >> SIZE_BITS or code_size >> CODE_BITS)


_descriptors: list[int] = []
"""Of the files, which stay open."""

CAN_STORE = os.name != "nt"
"""Windows lets nobody replace a file that is open."""


def next_number() -> int:
    """The number that the next file gets."""
    return len(_descriptors)


def keep_open(descriptor: int) -> int:
    """Read texts from this file from now on; returns its number."""
    _descriptors.append(descriptor)
    return len(_descriptors) - 1


def descriptor_of(file: int) -> int:
    """The descriptor of the file of that number."""
    return _descriptors[file]


def stored_text(file: int, start: int, size: int, code_size: int) -> StoredText:
    """The text at a place in a file that is kept open, with its code behind it; ``can_store`` says which."""
    return StoredText(((file << START_BITS | start) << SIZE_BITS | size) << CODE_BITS | code_size)
