"""Conversations that outlast a request, by the id that a client names them with."""

from collections.abc import Callable
from secrets import token_urlsafe
from time import monotonic

from pharo_mcp.jsonrpc import Message

from .conversations import Conversations
from .refusals import NoSession, TooManySessions
from .streams import Stream
from .transports import SessionTransport

MOST_SESSIONS = 64
"""Sessions at the same time; the one that was quiet for longest makes room for a new one."""

IDLE_SECONDS = 1800.0
"""How long a session is kept that nobody uses: clients that are gone do not say so."""


class Session:
    """A legacy client's conversation."""

    def __init__(self, conversations: Conversations, clock: Callable[[], float]) -> None:
        self.id = token_urlsafe()
        self.transport = SessionTransport()
        self.conversation = conversations.begin(self.transport)
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

    def __init__(self, conversations: Conversations, clock: Callable[[], float] = monotonic) -> None:
        self._conversations = conversations
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
        session = Session(self._conversations, self._clock)
        self._open[session.id] = session
        return session

    def find(self, session_id: str) -> Session:
        """The session of that id.

        Raises:
            NoSession: If it is over, or never was.
        """
        session = self._open.get(session_id)
        if session is None or session.conversation.is_over:
            raise NoSession
        return session

    def end(self, session: Session) -> None:
        """End a session, and what runs for it."""
        del self._open[session.id]
        session.conversation.end()

    def end_idle(self) -> None:
        """End those that nobody has used for long."""
        for session in list(self._open.values()):
            if session.idle_seconds > IDLE_SECONDS:
                self.end(session)
