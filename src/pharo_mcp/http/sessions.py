"""The sessions of legacy clients, by their ids."""

from collections.abc import Callable
from secrets import token_urlsafe
from time import monotonic

from pharo_mcp.times import SESSION_IDLE_SECONDS
from pharo_mcp.wire.jsonrpc import Message

from .connection_threads import ConnectionThreads
from .errors import SessionNotFound, TooManySessions
from .resumption import SessionStream
from .streams import Stream
from .transports import SessionTransport

MAX_SESSIONS = 64
"""Most concurrent sessions; a new one replaces the session that was idle for longest."""


class Session:
    """A legacy client's session."""

    def __init__(self, threads: ConnectionThreads, clock: Callable[[], float]) -> None:
        self.id = token_urlsafe()
        self.transport = SessionTransport()
        self.thread = threads.start(self.transport)
        self._clock = clock
        self._last_use = clock()

    @property
    def idle_seconds(self) -> float:
        """Seconds since its last use."""
        if self.transport.is_active:
            self._last_use = self._clock()
        return self._clock() - self._last_use

    def post(self, message: Message, reader: Stream) -> SessionStream | None:
        """See SessionTransport."""
        self._last_use = self._clock()
        return self.transport.post(message, reader)


class Sessions:
    """The open sessions. Only the thread of the event loop may use it."""

    def __init__(self, threads: ConnectionThreads, clock: Callable[[], float] = monotonic) -> None:
        self._threads = threads
        self._clock = clock
        self._open: dict[str, Session] = {}

    def open(self) -> Session:
        """Open a new session.

        Raises:
            TooManySessions: If the limit is reached and all sessions are in use.
        """
        if len(self._open) >= MAX_SESSIONS:
            idle = [session for session in self._open.values() if not session.transport.is_active]
            if not idle:
                raise TooManySessions(MAX_SESSIONS)
            self.end(max(idle, key=lambda session: session.idle_seconds))
        session = Session(self._threads, self._clock)
        self._open[session.id] = session
        return session

    def find(self, session_id: str) -> Session:
        """The session with that id.

        Raises:
            SessionNotFound: If it has ended or never existed.
        """
        session = self._open.get(session_id)
        if session is None or session.thread.has_ended:
            raise SessionNotFound
        return session

    def end(self, session: Session) -> None:
        """End a session and stop its work."""
        del self._open[session.id]
        session.thread.stop()

    def end_idle(self) -> None:
        """End the sessions that were idle for too long."""
        for session in list(self._open.values()):
            if session.idle_seconds > SESSION_IDLE_SECONDS:
                self.end(session)
