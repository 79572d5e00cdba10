"""Lines on their way from a conversation's threads to one HTTP answer."""

import asyncio
from collections import deque
from contextlib import suppress
from typing import NamedTuple

BACKLOG = 1000
"""Lines that wait for a client that reads slowly; more push out the oldest, never the answer."""


class Piece(NamedTuple):
    """A line, or none in the time that was given; after the last there is nothing.

    `code` is that of the error, if the line refuses what was asked.
    """

    line: bytes | None = None
    is_last: bool = False
    code: int | None = None


class Stream:
    """What one POST or GET is answered with: any thread puts, the event loop that made it takes."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._pieces: deque[Piece] = deque(maxlen=BACKLOG)
        self._filled = asyncio.Event()

    def tell(self, line: bytes) -> None:
        """Add a line that more may follow."""
        self._put(Piece(line))

    def finish(self, line: bytes | None = None, code: int | None = None) -> None:
        """Add the last line, or end without."""
        self._put(Piece(line, is_last=True, code=code))

    async def take(self, seconds: float | None = None) -> Piece:
        """The next piece; an empty one if none comes in time."""
        while not self._pieces:
            self._filled.clear()
            try:
                async with asyncio.timeout(seconds):
                    await self._filled.wait()
            except TimeoutError:
                return Piece()
        return self._pieces.popleft()

    async def take_last(self) -> Piece:
        """The last piece, without those before it."""
        while not (piece := await self.take()).is_last:
            pass
        return piece

    def _put(self, piece: Piece) -> None:
        with suppress(RuntimeError):  # the loop is closed: the server ended, and nobody reads any more
            self._loop.call_soon_threadsafe(self._add, piece)

    def _add(self, piece: Piece) -> None:
        self._pieces.append(piece)
        self._filled.set()
