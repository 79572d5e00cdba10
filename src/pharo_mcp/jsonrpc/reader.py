"""Bytes to messages, line by line."""

from .codec import decode
from .errors import ParseError
from .messages import BadLine, Message

LINE_LIMIT = 64 * 1024 * 1024
"""Bytes in one line: generous for a message, small enough that a peer cannot fill the memory."""


class MessageReader:
    """Collects bytes and answers what each complete line holds.

    A line ends with a newline and nothing else: JSON may hold U+2028 and a carriage return is whitespace.
    A line over the limit is reported once, as soon as it is too long, and skipped.
    """

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._limit = limit
        # Pieces, joined when the line is complete: adding to one bytes object would be quadratic.
        self._pieces: list[bytes] = []
        self._length = 0

    def feed(self, received: bytes) -> list[Message | BadLine]:
        """What is complete with these bytes, in order."""
        *endings, rest = received.split(b"\n")
        found: list[Message | BadLine] = []
        for ending in endings:
            found += self._collect(ending)
            found += self.close()
        found += self._collect(rest)
        return found

    def close(self) -> list[Message | BadLine]:
        """What the line holds that ends here, with or without a newline. Blank lines hold nothing."""
        line = b"".join(self._pieces)
        self._pieces, self._length = [], 0
        return [decode(line)] if line.strip(b" \t\r") else []

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
