"""Connections over HTTP: each has a thread and a transport; those of legacy clients are sessions, with an id.

No method of a transport blocks: requests arrive in the event loop, answers in the threads of the connection.
"""

from collections import deque
from collections.abc import Callable
from secrets import token_urlsafe
from threading import Lock, Thread
from time import monotonic
from typing import NamedTuple

from pharo_mcp.server.serving import Server
from pharo_mcp.wire.jsonrpc import (
    BadLine,
    Batch,
    ErrorResponse,
    Id,
    InvalidRequest,
    Message,
    Notification,
    Request,
    Response,
    decode,
    is_id,
)
from pharo_mcp.wire.transport import EndOfInput, Transport, TransportEvent

from .requests import HttpError, SessionNotFound, TooManySessions
from .streams import BACKLOG, Position, SentEvents, SessionStream, Stream

SESSION_IDLE_SECONDS = 1800.0
"""How long an unused session is kept."""
CONNECTIONS_END_SECONDS = 3.0
"""The wait for all connections to end after a stop."""


MAX_SESSIONS = 64
"""Most concurrent sessions; a new one replaces the session that was idle for longest."""
Connect = Callable[[Transport], Server]
"""Makes a connection that serves a transport."""


class ConnectionThread(Thread):
    """A thread that serves a connection; `stop` stops that and its work, without waiting for the end."""

    def __init__(self, server: Server) -> None:
        super().__init__(target=server.serve, name="connection", daemon=True)
        self.stop = server.close


class ConnectionThreads:
    """The threads of the connections. Only the thread of the event loop starts and stops them."""

    def __init__(self, connect: Connect) -> None:
        self._connect = connect
        self._threads: list[ConnectionThread] = []

    def start(self, transport: Transport) -> ConnectionThread:
        """Start to serve a connection over a transport."""
        thread = ConnectionThread(self._connect(transport))
        thread.start()
        self._threads = [*(each for each in self._threads if each.is_alive()), thread]
        return thread

    def stop_all(self) -> None:
        """Stop all connections and their work, without waiting for the end."""
        for thread in self._threads:
            thread.stop()

    def join_all(self) -> None:
        """Wait until all have ended, at most CONNECTIONS_END_SECONDS in total."""
        end = monotonic() + CONNECTIONS_END_SECONDS
        for thread in self._threads:
            thread.join(max(0, end - monotonic()))


MOST_STREAMS = 100
"""Streams of a session that can be resumed; of those that have ended the last ones."""


class SingleRequestTransport:
    """The transport of a modern request: all lines belong to its response."""

    def __init__(self, request: Request, stream: Stream) -> None:
        self._request = request
        self._stream = stream

    def start(self, deliver: Callable[[TransportEvent], None]) -> None:
        """See Transport."""
        self._deliver = deliver
        deliver(self._request)

    def send(self, line: bytes, related: Id | None = None) -> None:
        """See Transport."""
        match decode(line):
            case Response():
                self._finish(line)
            case ErrorResponse(_, code):
                self._finish(line, code)
            case _:
                self._stream.put(line)

    def close(self, timeout: float) -> str | None:
        """See Transport."""
        self._stream.finish()
        return None

    def _finish(self, line: bytes, code: int | None = None) -> None:
        self._stream.finish(line, code)
        self._deliver(EndOfInput())


class PendingPost(NamedTuple):
    """A POST that waits for the answers to these ids."""

    stream: SessionStream
    ids: set[Id | None]


class SessionTransport:
    """The transport of a legacy session: many POSTs, and one GET for messages that belong to no POST.

    Each of their streams can be resumed by another GET.
    """

    def __init__(self) -> None:
        self._lock = Lock()
        self._events_before_start: list[TransportEvent] = []
        self._deliver: Callable[[TransportEvent], None] = self._events_before_start.append
        self._posts: list[PendingPost] = []
        self._listener: SessionStream | None = None
        self._is_heard = False
        self._streams: dict[int, SessionStream] = {}
        self._sent = SentEvents()
        self._last_number = 0
        self._undelivered: deque[bytes] = deque(maxlen=BACKLOG)

    @property
    def is_active(self) -> bool:
        """Whether a POST waits for an answer, or a GET listens."""
        return bool(self._posts) or self._is_heard

    def start(self, deliver: Callable[[TransportEvent], None]) -> None:
        """See Transport."""
        with self._lock:
            for event in self._events_before_start:
                deliver(event)
            self._deliver = deliver

    def post(self, message: Message, reader: Stream) -> SessionStream | None:
        """Deliver a posted message; return the stream on which it will be answered, if it will be.

        Raises:
            HttpError: If a request with the same id is in progress: the answers would be ambiguous.
        """
        messages = message.messages if isinstance(message, Batch) else (message,)
        ids = {each.id for each in messages if isinstance(each, Request | BadLine)}
        with self._lock:
            for request_id in ids - {None}:
                if any(request_id in post.ids for post in self._posts):
                    error = InvalidRequest("a request with this id is still being answered")
                    raise HttpError(400, error, request_id)
            stream = self._new_stream(reader) if ids else None
            if stream:
                self._posts.append(PendingPost(stream, ids))
            self._deliver(message)
            for each in messages:
                self._remove_cancelled(each)
        return stream

    def listen(self, reader: Stream) -> SessionStream:
        """Send messages that belong to no POST to a new stream, undelivered ones first; end the last one."""
        with self._lock:
            if self._listener:
                self._listener.finish()
            self._listener = self._new_stream(reader)
            self._deliver_the_undelivered()
            return self._listener

    def resume(self, reader: Stream, after: Position) -> SessionStream | None:
        """Send the messages of a stream after one of them; None if the stream is not known, or no longer."""
        with self._lock:
            stream = self._streams.get(after.stream)
            if stream is None or not stream.resume(reader, after):
                return None
            if stream is self._listener:
                self._deliver_the_undelivered()
            return stream

    def stop_reading(self, stream: SessionStream, reader: Stream) -> None:
        """Keep later messages, unless the client has resumed the stream already."""
        with self._lock:
            if stream is self._listener and stream.is_read_by(reader):
                self._is_heard = False

    def forget(self, stream: SessionStream) -> None:
        """Forget a stream whose only message the client has got."""
        with self._lock:
            self._streams.pop(stream.number, None)
            self._sent.forget(stream.number)

    def send(self, line: bytes, related: Id | None = None) -> None:
        """See Transport."""
        with self._lock:
            match decode(line):
                case Response(request_id):
                    self._answer({request_id}, line)
                case ErrorResponse(request_id, code):
                    self._answer({request_id}, line, code)
                case Batch(messages):
                    self._answer({each.id for each in messages if not isinstance(each, Notification)}, line)
                case _ if post := self._post_of(related):
                    post.stream.put(line)
                case _ if self._listener and self._is_heard:
                    self._listener.put(line)
                case _:
                    self._undelivered.append(line)

    def close(self, timeout: float) -> str | None:
        """See Transport."""
        with self._lock:
            for post in self._posts:
                post.stream.finish()
            self._posts.clear()
            if self._listener:
                self._listener.finish()
                self._listener = None
        return None

    def _new_stream(self, reader: Stream) -> SessionStream:
        ended = [number for number, stream in self._streams.items() if stream.has_ended]
        for number in ended[: max(0, len(self._streams) - MOST_STREAMS + 1)]:
            del self._streams[number]
            self._sent.forget(number)
        self._last_number += 1
        stream = self._streams[self._last_number] = SessionStream(self._last_number, self._sent, reader)
        return stream

    def _deliver_the_undelivered(self) -> None:
        self._is_heard = True
        while self._listener and self._undelivered:
            self._listener.put(self._undelivered.popleft())

    def _post_of(self, request_id: Id | None) -> PendingPost | None:
        if request_id is None:  # as ids, POSTs have None for lines whose own could not be read
            return None
        return next((post for post in self._posts if request_id in post.ids), None)

    def _answer(self, ids: set[Id | None], line: bytes, code: int | None = None) -> None:
        post = next((post for post in self._posts if ids <= post.ids), None)
        if post:
            self._posts.remove(post)
            post.stream.finish(line, code)

    def _remove_cancelled(self, message: object) -> None:
        """Stop waiting for the answer to a cancelled request, which never comes."""
        match message:
            case Notification("notifications/cancelled", {"requestId": request_id}) if is_id(request_id):
                for post in [post for post in self._posts if request_id in post.ids]:
                    post.ids.discard(request_id)
                    if not post.ids:
                        self._posts.remove(post)
                        post.stream.finish()


class HttpSession:
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
        self._open: dict[str, HttpSession] = {}

    def open(self) -> HttpSession:
        """Open a new session.

        Raises:
            TooManySessions: If the limit is reached and all sessions are in use.
        """
        if len(self._open) >= MAX_SESSIONS:
            idle = [session for session in self._open.values() if not session.transport.is_active]
            if not idle:
                raise TooManySessions(MAX_SESSIONS)
            self.end(max(idle, key=lambda session: session.idle_seconds))
        session = HttpSession(self._threads, self._clock)
        self._open[session.id] = session
        return session

    def find(self, session_id: str) -> HttpSession:
        """Return the session with that id.

        Raises:
            SessionNotFound: If it has ended or never existed.
        """
        session = self._open.get(session_id)
        if session is None or not session.thread.is_alive():
            raise SessionNotFound
        return session

    def end(self, session: HttpSession) -> None:
        """End a session and stop its work."""
        del self._open[session.id]
        session.thread.stop()

    def end_idle(self) -> None:
        """End the sessions that were idle for too long."""
        for session in list(self._open.values()):
            if session.idle_seconds > SESSION_IDLE_SECONDS:
                self.end(session)
