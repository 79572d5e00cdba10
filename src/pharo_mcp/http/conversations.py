"""Connections that are served at the same time, each in a thread of its own."""

from collections.abc import Callable
from threading import Lock, Thread
from time import monotonic

from pharo_mcp.server import Connection
from pharo_mcp.transports import Transport

Connect = Callable[[Transport], Connection]
"""Makes the connection that answers over a transport."""

STOP_SECONDS = 3.0
"""How long all of them may take to end: a little longer than stopping their work in the image."""


class Conversation:
    """A connection that is served."""

    def __init__(self, connection: Connection, over: Callable[["Conversation"], None]) -> None:
        self._connection = connection
        self._over = over
        self._thread = Thread(target=self._serve, name="conversation", daemon=True)

    @property
    def is_over(self) -> bool:
        """Whether it answers no more."""
        return not self._thread.is_alive()

    def start(self) -> None:
        """Serve it."""
        self._thread.start()

    def end(self) -> None:
        """Stop what it does; it is not waited for."""
        self._connection.close()

    def join(self, seconds: float) -> None:
        """Wait that long for it to be over."""
        self._thread.join(seconds)

    def _serve(self) -> None:
        try:
            self._connection.serve()
        finally:
            self._over(self)


class Conversations:
    """All that are served, until they are over."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._lock = Lock()
        self._running: set[Conversation] = set()

    def begin(self, transport: Transport) -> Conversation:
        """Serve over a transport."""
        conversation = Conversation(self._connect(transport), self._forget)
        with self._lock:
            self._running.add(conversation)
        conversation.start()
        return conversation

    def end_all(self) -> None:
        """Stop what they do; they are not waited for."""
        for conversation in self._all():
            conversation.end()

    def join_all(self) -> None:
        """Wait until they are over, within a bound for all of them."""
        end = monotonic() + STOP_SECONDS
        for conversation in self._all():
            conversation.join(max(0, end - monotonic()))

    def _all(self) -> list[Conversation]:
        with self._lock:
            return list(self._running)

    def _forget(self, conversation: Conversation) -> None:
        with self._lock:
            self._running.discard(conversation)
