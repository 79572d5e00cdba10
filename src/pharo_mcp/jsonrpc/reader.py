"""Read messages from bytes, line by line."""

from .codec import BYTE_ORDER_MARK, decode
from .errors import ParseError
from .messages import BadLine, Message

LINE_LIMIT = 64 * 1024 * 1024
"""Bytes in one line: enough for any message, and small enough that a peer cannot exhaust the memory."""


class MessageReader:
    """Collects bytes and decodes each complete line.

    Only a newline ends a line: JSON may contain U+2028, and a carriage return is whitespace.
    A byte order mark before the first message is ignored.
    A line over the limit is reported once, as soon as it is too long, and skipped.
    """

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._limit = limit
        # Joined when the line is complete: appending to one bytes object would take quadratic time.
        self._pieces: list[bytes] = []
        self._length = 0
        self._has_begun = False

    def feed(self, received: bytes) -> list[Message | BadLine]:
        """Add bytes and return the messages that they complete, in order."""
        *endings, rest = received.split(b"\n")
        messages: list[Message | BadLine] = []
        for ending in endings:
            messages += self._collect(ending)
            messages += self.close()
        messages += self._collect(rest)
        return messages

    def close(self) -> list[Message | BadLine]:
        """End the current line, with or without a newline, and decode it; a blank line has no message."""
        line = b"".join(self._pieces)
        self._pieces, self._length = [], 0
        if not self._has_begun:
            line = line.removeprefix(BYTE_ORDER_MARK)
        if not line.strip(b" \t\r"):
            return []
        self._has_begun = True
        return [decode(line)]

    def _collect(self, piece: bytes) -> list[Message | BadLine]:
        was_too_long = self._length > self._limit
        self._length += len(piece)
        if self._length <= self._limit:
            self._pieces.append(piece)
            return []
        self._pieces.clear()
        if was_too_long:
            return []
        return [BadLine(None, ParseError(f"a line is longer than {self._limit} bytes"))]
