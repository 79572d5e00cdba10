"""Conversations whose lines go to and fro in the bodies of HTTP.

Nothing here waits: requests come in from the event loop, answers from the thread of the connection.
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
from pharo_mcp.transports import EndOfInput, Event

from .refusals import Refusal
from .streams import BACKLOG, Stream


class OneAnswer:
    """A modern conversation: one request, and all that is sent belongs to its answer."""

    def __init__(self, request: Request, stream: Stream) -> None:
        self._request = request
        self._stream = stream

    def start(self, deliver: Callable[[Event], None]) -> None:
        """See Transport."""
        self._deliver = deliver
        deliver(self._request)

    def send(self, line: bytes) -> None:
        """See Transport."""
        match decode(line):
            case Response():
                self._finish(line)
            case ErrorResponse(_, code):
                self._finish(line, code)
            case _:
                self._stream.tell(line)

    def close(self, patience: float) -> str | None:
        """See Transport."""
        self._stream.finish()
        return None

    def _finish(self, line: bytes, code: int | None = None) -> None:
        self._stream.finish(line, code)
        self._deliver(EndOfInput())


class Post(NamedTuple):
    """What a POST still waits for: answers to these ids, and reports that carry these tokens."""

    stream: Stream
    ids: set[Id | None]
    tokens: set[Id]


class SessionTransport:
    """A legacy conversation over many POSTs, and one GET for what belongs to none of them."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._early: list[Event] = []
        self._deliver: Callable[[Event], None] = self._early.append
        self._posts: list[Post] = []
        self._listener: Stream | None = None
        self._unheard: deque[bytes] = deque(maxlen=BACKLOG)

    @property
    def is_used(self) -> bool:
        """Whether somebody waits for an answer, or listens."""
        return bool(self._posts) or self._listener is not None

    def start(self, deliver: Callable[[Event], None]) -> None:
        """See Transport."""
        with self._lock:
            for event in self._early:
                deliver(event)
            self._deliver = deliver

    def take(self, message: Message, stream: Stream) -> bool:
        """Pass on what a client posted; whether that is answered, on the stream.

        Raises:
            Refusal: If an answer to the same id is still awaited: it could not be told from the other.
        """
        messages = message.messages if isinstance(message, Batch) else (message,)
        ids = {each.id for each in messages if isinstance(each, Request | BadLine)}
        tokens = {token for each in messages if (token := _token(each)) is not None}
        with self._lock:
            for taken in ids - {None}:
                if any(taken in post.ids for post in self._posts):
                    error = InvalidRequest("a request with this id is still being answered")
                    raise Refusal(400, error, taken)
            if ids:
                self._posts.append(Post(stream, ids, tokens))
            self._deliver(message)
            for each in messages:
                self._forget_cancelled(each)
        return bool(ids)

    def listen(self, stream: Stream) -> None:
        """Send there what belongs to no POST, and first what nobody heard; who listened before is done."""
        with self._lock:
            if self._listener:
                self._listener.finish()
            self._listener = stream
            while self._unheard:
                stream.tell(self._unheard.popleft())

    def stop_listening(self, stream: Stream) -> None:
        """Keep what is sent from now on for the next who listens."""
        with self._lock:
            if self._listener is stream:
                self._listener = None

    def send(self, line: bytes) -> None:
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
                            post.stream.tell(line)
                case _ if self._listener:
                    self._listener.tell(line)
                case _:
                    self._unheard.append(line)

    def close(self, patience: float) -> str | None:
        """See Transport."""
        with self._lock:
            for post in self._posts:
                post.stream.finish()
            self._posts.clear()
            if self._listener:
                self._listener.finish()
                self._listener = None
        return None

    def _answer(self, ids: set[Id | None], line: bytes, code: int | None = None) -> None:
        post = next((post for post in self._posts if ids <= post.ids), None)
        if post:
            self._posts.remove(post)
            post.stream.finish(line, code)

    def _forget_cancelled(self, message: object) -> None:
        """End the wait for an answer that will never come."""
        match message:
            case Notification("notifications/cancelled", {"requestId": request_id}) if is_id(request_id):
                for post in [post for post in self._posts if request_id in post.ids]:
                    post.ids.discard(request_id)
                    if not post.ids:
                        self._posts.remove(post)
                        post.stream.finish()


def _token(message: object) -> Id | None:
    """By what a request wants its progress told."""
    match message:
        case Request(params={"_meta": {"progressToken": token}}) if is_id(token):
            return token
    return None
