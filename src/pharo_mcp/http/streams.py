"""Queues of lines from the threads of a connection to one HTTP response."""

import asyncio
from collections import deque
from contextlib import suppress
from typing import NamedTuple

BACKLOG = 1000
"""Lines that may be pending for a slow client; further lines displace the oldest, but never the answer."""


class StreamItem(NamedTuple):
    """A line, or None if none arrived in time. No item follows the last one.

    `code` is the error code, if the line is an error response; `id` that of the event, if it has one.
    """

    line: bytes | None = None
    is_last: bool = False
    code: int | None = None
    id: str | None = None


class Stream:
    """The body of one response: any thread adds lines, the event loop that created the stream takes them."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._items: deque[StreamItem] = deque(maxlen=BACKLOG)
        self._added = asyncio.Event()

    def put(self, line: bytes) -> None:
        """Add a line that is not the last one."""
        self.put_item(StreamItem(line))

    def finish(self, line: bytes | None = None, code: int | None = None) -> None:
        """Add the last line, or end the stream without one."""
        self.put_item(StreamItem(line, is_last=True, code=code))

    def put_item(self, item: StreamItem) -> None:
        """Add an item."""
        with suppress(RuntimeError):  # the loop is closed: the server has ended
            self._loop.call_soon_threadsafe(self._add, item)

    async def take(self, timeout: float | None = None) -> StreamItem:
        """Take the next item; it has no line if none arrives within `timeout` seconds."""
        while not self._items:
            self._added.clear()
            try:
                async with asyncio.timeout(timeout):
                    await self._added.wait()
            except TimeoutError:
                return StreamItem()
        return self._items.popleft()

    async def take_last(self) -> StreamItem:
        """Take the last item and drop those before it."""
        while not (item := await self.take()).is_last:
            pass
        return item

    def _add(self, item: StreamItem) -> None:
        self._items.append(item)
        self._added.set()
