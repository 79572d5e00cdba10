"""Concurrent connections, each served in its own thread."""

from collections.abc import Callable
from threading import Lock, Thread
from time import monotonic

from pharo_mcp.server.serving import Server
from pharo_mcp.times import CONNECTIONS_END_SECONDS
from pharo_mcp.wire.transport import Transport

Connect = Callable[[Transport], Server]
"""Makes a connection that serves a transport."""


class ConnectionThread:
    """A thread that serves a connection."""

    def __init__(self, connection: Server, on_end: Callable[["ConnectionThread"], None]) -> None:
        self._connection = connection
        self._on_end = on_end
        self._thread = Thread(target=self._serve, name="connection", daemon=True)

    @property
    def has_ended(self) -> bool:
        """Whether the connection no longer answers."""
        return not self._thread.is_alive()

    def start(self) -> None:
        """Start to serve the connection."""
        self._thread.start()

    def stop(self) -> None:
        """Stop the connection and its work, without waiting for the end."""
        self._connection.close()

    def join(self, timeout: float) -> None:
        """Wait until it has ended, at most `timeout` seconds."""
        self._thread.join(timeout)

    def _serve(self) -> None:
        try:
            self._connection.serve()
        finally:
            self._on_end(self)


class ConnectionThreads:
    """The connection threads that are running."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._lock = Lock()
        self._running: set[ConnectionThread] = set()

    def start(self, transport: Transport) -> ConnectionThread:
        """Start to serve a connection over a transport."""
        thread = ConnectionThread(self._connect(transport), self._remove)
        with self._lock:
            self._running.add(thread)
        thread.start()
        return thread

    def stop_all(self) -> None:
        """Stop all connections and their work, without waiting for the end."""
        for thread in self._all():
            thread.stop()

    def join_all(self) -> None:
        """Wait until all have ended, at most CONNECTIONS_END_SECONDS in total."""
        end = monotonic() + CONNECTIONS_END_SECONDS
        for thread in self._all():
            thread.join(max(0, end - monotonic()))

    def _all(self) -> list[ConnectionThread]:
        with self._lock:
            return list(self._running)

    def _remove(self, thread: ConnectionThread) -> None:
        with self._lock:
            self._running.discard(thread)
