"""Conversations that outlast a request, by the id that a client names them with."""

from collections.abc import Callable, Iterable
from secrets import token_urlsafe
from threading import Thread
from time import monotonic

from pharo_mcp.jsonrpc import Message
from pharo_mcp.server import Connection
from pharo_mcp.transports import Transport

from .refusals import NoSession, TooManySessions
from .streams import Stream
from .transports import SessionTransport

Connect = Callable[[Transport], Connection]
"""Makes the connection that answers over a transport."""

MOST_SESSIONS = 64
"""Sessions at the same time; the one that was quiet for longest makes room for a new one."""

IDLE_SECONDS = 1800.0
"""How long a session is kept that nobody uses: clients that are gone do not say so."""

STOP_SECONDS = 3.0
"""How long conversations may take to end: a little longer than stopping their work in the image."""


class Conversation:
    """A connection that is served in a thread of its own."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._thread = Thread(target=connection.serve, name="conversation", daemon=True)
        self._thread.start()

    def end(self) -> None:
        """Stop what it does; it is not waited for."""
        self._connection.close()

    def join(self, seconds: float) -> None:
        """Wait until it is over, within a bound."""
        self._thread.join(seconds)


def await_all(conversations: Iterable[Conversation]) -> None:
    """Wait until they are over, within a bound for all of them."""
    end = monotonic() + STOP_SECONDS
    for conversation in conversations:
        conversation.join(max(0, end - monotonic()))


class Session:
    """A legacy client's conversation."""

    def __init__(self, connect: Connect, clock: Callable[[], float]) -> None:
        self.id = token_urlsafe()
        self.transport = SessionTransport()
        self.conversation = Conversation(connect(self.transport))
        self._clock = clock
        self._used = clock()

    @property
    def idle_seconds(self) -> float:
        """How long nobody has used it."""
        if self.transport.is_used:
            self._used = self._clock()
        return self._clock() - self._used

    def take(self, message: Message, stream: Stream) -> bool:
        """See SessionTransport."""
        self._used = self._clock()
        return self.transport.take(message, stream)


class Sessions:
    """The sessions that are open. One thread, that of the event loop, uses it."""

    def __init__(self, connect: Connect, clock: Callable[[], float] = monotonic) -> None:
        self._connect = connect
        self._clock = clock
        self._open: dict[str, Session] = {}

    def open(self) -> Session:
        """A new session.

        Raises:
            TooManySessions: If there is no room, and none that nobody uses.
        """
        if len(self._open) >= MOST_SESSIONS:
            quiet = [session for session in self._open.values() if not session.transport.is_used]
            if not quiet:
                raise TooManySessions(MOST_SESSIONS)
            self.end(max(quiet, key=lambda session: session.idle_seconds))
        session = Session(self._connect, self._clock)
        self._open[session.id] = session
        return session

    def find(self, session_id: str) -> Session:
        """The session of that id.

        Raises:
            NoSession: If it is over, or never was.
        """
        if session_id not in self._open:
            raise NoSession
        return self._open[session_id]

    def end(self, session: Session) -> None:
        """End a session, and what runs for it."""
        del self._open[session.id]
        session.conversation.end()

    def end_idle(self) -> None:
        """End those that nobody has used for long."""
        for session in list(self._open.values()):
            if session.idle_seconds > IDLE_SECONDS:
                self.end(session)

    def end_all(self) -> list[Conversation]:
        """End all of them; what is still to be waited for."""
        sessions = list(self._open.values())
        for session in sessions:
            self.end(session)
        return [session.conversation for session in sessions]
