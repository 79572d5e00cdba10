"""The inbox of a connection, and the events in it."""

from queue import Empty, SimpleQueue
from typing import NamedTuple

from pharo_mcp.protocol.catalog import ServerEvent
from pharo_mcp.wire.transport import TransportEvent

from .client_requests import Outgoing
from .in_flight import Ready
from .progress import Report
from .task_states import TaskEvent


class Closing(NamedTuple):
    """The request to close the connection at once."""


Event = TransportEvent | ServerEvent | TaskEvent | Report | Ready | Outgoing | Closing


class Inbox:
    """Events that any thread has put, and signal handlers, whatever their thread is doing."""

    def __init__(self) -> None:
        # Of the queues, only this one can be put into by a signal handler that interrupts its own methods.
        self._events: SimpleQueue[Event] = SimpleQueue()
        self._wakes: SimpleQueue[None] = SimpleQueue()

    def put(self, event: Event) -> None:
        """Add an event, and end a `wait`."""
        self._events.put(event)
        self.wake()

    def take(self) -> Event | None:
        """The next event; None if there is none. One thread takes at a time."""
        return None if self._events.empty() else self._events.get_nowait()

    def wake(self) -> None:
        """End a `wait`."""
        self._wakes.put(None)

    def wait(self, seconds: float) -> None:
        """Wait until something has been put."""
        try:
            self._wakes.get(timeout=seconds)
        except Empty:
            return
