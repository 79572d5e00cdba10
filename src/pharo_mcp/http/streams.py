"""The lines of a connection on their way to HTTP responses, in streams that a client can resume.

Source: Resumability and Redelivery, Streamable HTTP transport, in the specification of 2025-11-25.
"""

import asyncio
import re
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


MOST_BYTES = 2 * 1024 * 1024
"""Bytes of events that are kept for a session; the newest event is always kept."""
MOST_EVENTS = 1000
"""Events that are kept for a session."""
EVENT_ID = re.compile(r"(\d{1,9})-(\d{1,9})")


class Position(NamedTuple):
    """An event of a stream: the numbers of the stream and of the event, which is 0 before the first."""

    stream: int
    event: int = 0

    @classmethod
    def parse(cls, event_id: str) -> "Position | None":
        """Return the position of an event, by its id; None for other words."""
        match = EVENT_ID.fullmatch(event_id)
        return cls(int(match[1]), int(match[2])) if match else None

    @property
    def id(self) -> str:
        """The id of the event."""
        return f"{self.stream}-{self.event}"


class SentEvents:
    """The last events of a session's streams."""

    def __init__(self) -> None:
        self._events: deque[tuple[Position, StreamItem]] = deque()
        self._bytes = 0

    def add(self, position: Position, item: StreamItem) -> None:
        """Keep an event, instead of the oldest ones if they are too many."""
        self._events.append((position, item))
        self._bytes += len(item.line or b"")
        while len(self._events) > 1 and (self._bytes > MOST_BYTES or len(self._events) > MOST_EVENTS):
            _, oldest = self._events.popleft()
            self._bytes -= len(oldest.line or b"")

    def after(self, position: Position) -> list[StreamItem]:
        """Return the events of a stream after one of them, as far as they are kept."""
        return [
            item
            for each, item in self._events
            if each.stream == position.stream and each.event > position.event
        ]

    def forget(self, stream: int) -> None:
        """Forget the events of a stream, which its client has got."""
        self._events = deque(each for each in self._events if each[0].stream != stream)
        self._bytes = sum(len(item.line or b"") for _, item in self._events)


class SessionStream:
    """A stream that a client reads in one response after the other. Its transport's lock protects it."""

    def __init__(self, number: int, sent: SentEvents, reader: Stream) -> None:
        self.number = number
        self.has_ended = False
        self._last = Position(number)
        self._sent = sent
        self._reader = reader

    @property
    def beginning(self) -> str:
        """The id of its beginning."""
        return Position(self.number).id

    def put(self, line: bytes) -> None:
        """Send a line that is not the last one."""
        self._send(StreamItem(line))

    def finish(self, line: bytes | None = None, code: int | None = None) -> None:
        """Send the last line, or end the stream without one."""
        self.has_ended = True
        self._send(StreamItem(line, is_last=True, code=code))

    def is_read_by(self, reader: Stream) -> bool:
        """Return whether the client reads it in that response."""
        return self._reader is reader

    def resume(self, reader: Stream, after: Position) -> bool:
        """Let the client go on in another response, after the last event that it got.

        Return whether that is possible: not if the stream has ended and its last event is no longer kept.
        """
        items = self._sent.after(after)
        if self.has_ended and after.event >= self._last.event:
            items = [StreamItem(is_last=True)]
        elif self.has_ended and not (items and items[-1].is_last):
            return False
        self._reader.finish()
        self._reader = reader
        for item in items:
            reader.put_item(item)
        return True

    def _send(self, item: StreamItem) -> None:
        self._last = self._last._replace(event=self._last.event + 1)
        item = item._replace(id=self._last.id)
        self._sent.add(self._last, item)
        self._reader.put_item(item)
