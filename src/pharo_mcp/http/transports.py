"""Transports over the bodies of HTTP requests and responses.

No method blocks: requests arrive in the event loop, answers in the thread of the connection.
"""

from collections import deque
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple

from pharo_mcp.jsonrpc import (
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
from pharo_mcp.transports import EndOfInput, TransportEvent

from .errors import HttpError
from .streams import BACKLOG, Stream


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
    """A POST that waits for the answers to these ids, and for progress with these tokens."""

    stream: Stream
    ids: set[Id | None]
    tokens: set[Id]


class SessionTransport:
    """The transport of a legacy session: many POSTs, and one GET for messages that belong to no POST."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._events_before_start: list[TransportEvent] = []
        self._deliver: Callable[[TransportEvent], None] = self._events_before_start.append
        self._posts: list[PendingPost] = []
        self._listener: Stream | None = None
        self._undelivered: deque[bytes] = deque(maxlen=BACKLOG)

    @property
    def is_active(self) -> bool:
        """Whether a POST waits for an answer, or a GET listens."""
        return bool(self._posts) or self._listener is not None

    def start(self, deliver: Callable[[TransportEvent], None]) -> None:
        """See Transport."""
        with self._lock:
            for event in self._events_before_start:
                deliver(event)
            self._deliver = deliver

    def post(self, message: Message, stream: Stream) -> bool:
        """Deliver a posted message; return whether it will be answered, on the stream.

        Raises:
            HttpError: If a request with the same id is in progress: the answers would be ambiguous.
        """
        messages = message.messages if isinstance(message, Batch) else (message,)
        ids = {each.id for each in messages if isinstance(each, Request | BadLine)}
        tokens = {token for each in messages if (token := _token(each)) is not None}
        with self._lock:
            for request_id in ids - {None}:
                if any(request_id in post.ids for post in self._posts):
                    error = InvalidRequest("a request with this id is still being answered")
                    raise HttpError(400, error, request_id)
            if ids:
                self._posts.append(PendingPost(stream, ids, tokens))
            self._deliver(message)
            for each in messages:
                self._remove_cancelled(each)
        return bool(ids)

    def listen(self, stream: Stream) -> None:
        """Send messages that belong to no POST to this stream, undelivered ones first; end the last one."""
        with self._lock:
            if self._listener:
                self._listener.finish()
            self._listener = stream
            while self._undelivered:
                stream.put(self._undelivered.popleft())

    def stop_listening(self, stream: Stream) -> None:
        """Keep later messages for the next listener."""
        with self._lock:
            if self._listener is stream:
                self._listener = None

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
                case Notification("notifications/progress", {"progressToken": token}):
                    for post in self._posts:
                        if token in post.tokens:
                            post.stream.put(line)
                case _ if found := self._post_of(related):
                    found.stream.put(line)
                case _ if self._listener:
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


def _token(message: object) -> Id | None:
    """The progress token of a request, if it has one."""
    match message:
        case Request(params={"_meta": {"progressToken": token}}) if is_id(token):
            return token
    return None
