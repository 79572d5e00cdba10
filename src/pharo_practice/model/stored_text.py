"""Text that stays in a file until somebody reads it: the source of most methods is never looked at."""

from __future__ import annotations

import os

START_BITS, SIZE_BITS = 28, 24
"""Of the place in the file, and of the number of bytes there."""


class StoredText(int):
    """Where a text is: its file, its place there and its size, in one number, because there are so many."""

    __slots__ = ()

    def __str__(self) -> str:
        """The text, with the line endings of Smalltalk."""
        size = self & ((1 << SIZE_BITS) - 1)
        start = (self >> SIZE_BITS) & ((1 << START_BITS) - 1)
        descriptor = _descriptors[self >> (SIZE_BITS + START_BITS)]
        os.lseek(descriptor, start, os.SEEK_SET)
        data = os.read(descriptor, size)
        if len(data) != size:
            raise OSError("the file in which the sources of methods are kept was cut")
        return data.decode("utf-8", "surrogatepass").replace("\n", "\r")


_descriptors: list[int] = []
"""Of the files, which stay open."""

CAN_STORE = os.name != "nt"
"""Windows lets nobody replace a file that is open."""


def keep_open(descriptor: int) -> int:
    """Read texts from this file from now on; returns its number."""
    _descriptors.append(descriptor)
    return len(_descriptors) - 1


def stored_text(file: int, start: int, size: int) -> StoredText:
    """The text at a place in a file that is kept open."""
    return StoredText((file << START_BITS | start) << SIZE_BITS | size)
