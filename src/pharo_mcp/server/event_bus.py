"""Server events, from where they happen to the connections that notify their clients."""

from collections.abc import Callable
from threading import Lock

from pharo_mcp.protocol.catalog import ServerEvent

from .task_states import TaskEvent
from .tasks import Tasks

Subscriber = Callable[[ServerEvent | TaskEvent], None]
"""Is called with an event, in any thread. Must not block."""


class EventBus:
    """Passes each event to every subscriber. Any thread may use it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._subscribers: list[Subscriber] = []
        self._tasks: Tasks | None = None

    def join(self, subscriber: Subscriber) -> None:
        """Add a subscriber."""
        with self._lock:
            self._subscribers.append(subscriber)

    def leave(self, subscriber: Subscriber) -> None:
        """Remove a subscriber."""
        with self._lock:
            self._subscribers.remove(subscriber)

    def tasks(self) -> Tasks:
        """The tasks of all clients, whose changes are events."""
        with self._lock:
            if self._tasks is None:
                self._tasks = Tasks(self.publish)
            return self._tasks

    def publish(self, event: ServerEvent | TaskEvent) -> None:
        """Pass an event to every subscriber."""
        with self._lock:
            subscribers = list(self._subscribers)
        for subscriber in subscribers:
            subscriber(event)
