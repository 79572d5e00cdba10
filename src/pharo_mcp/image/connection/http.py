"""HTTP requests to one address. The only module that uses httpcore and tenacity.

httpcore is the part of httpx that sends requests. The rest of httpx (cookies, redirects, proxies, encodings)
is for other places than loopback, takes 4 MB, and more time than the request.

Both are imported inside functions: importing them takes far longer than starting pharo-mcp.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import partial
from socket import SHUT_RDWR
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pharo_mcp.address import Address
from pharo_mcp.image.errors.connecting import ImageSaving, ImageUnreachable
from pharo_mcp.times import CONNECT_SECONDS, IDLE_CONNECTION_SECONDS

from .pending_request import PendingRequest

if TYPE_CHECKING:
    import httpcore

Result = TypeVar("Result")

REPLY_LIMIT = 32 * 1024 * 1024
"""Largest answer in bytes."""
ATTEMPTS = 3
UNSENT = ImageSaving, ImageUnreachable
"""Errors after which a request is sent again: it has not run."""
HOST = b"127.0.0.1"
JSON = [(b"Content-Type", b"application/json")]
UNUSED = ("anyio", "h2", "socksio", "trio")
"""What httpcore imports if it is installed: for asyncio, HTTP/2 and proxies."""
LATE = "it did not arrive in time"


class Answer(NamedTuple):
    """An HTTP response; `companion` is the version in its header, None without one."""

    status: int
    companion: str | None
    content_type: str
    body: bytes


class LostAnswer(Exception):
    """The request may have been sent, and no complete answer arrived; the message is the reason."""


class LateAnswer(LostAnswer):
    """The answer did not arrive in time."""


def warm() -> None:
    """Import the HTTP client, so that the first call need not wait for it."""
    with _without(*UNUSED):
        import httpcore  # noqa: F401


@contextmanager
def _without(*names: str) -> Iterator[None]:
    """Make modules that are not imported yet count as not installed."""
    hidden = [name for name in names if name not in sys.modules]
    for name in hidden:
        sys.modules[name] = None  # type: ignore[assignment]  # documented: importing it raises ImportError
    try:
        yield
    finally:
        for name in hidden:
            sys.modules.pop(name, None)


def repeat_unsent(attempt: Callable[[], Result], until: float) -> Result:
    """Run an attempt, and repeat it if it could not connect, or met an image that is about to be saved.

    Such a request cannot have run. After any other error it is not repeated. `until` is monotonic.
    """
    try:
        return attempt()
    except UNSENT as error:
        failures = [error]

    def next_attempt() -> Result:
        if failures:
            raise failures.pop()
        return attempt()

    # Here: most sessions never need it.
    from tenacity import (
        Retrying,
        retry_if_exception_type,
        stop_after_attempt,
        stop_before_delay,
        wait_random_exponential,
    )

    retries = Retrying(
        retry=retry_if_exception_type(UNSENT),
        stop=stop_after_attempt(ATTEMPTS) | stop_before_delay(max(0.0, until - monotonic())),
        wait=wait_random_exponential(multiplier=0.05, max=0.2),
        reraise=True,
    )
    return retries(next_attempt)


class Http:
    """Sends requests to one address, from any thread; connections are kept alive and used again."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._lock = Lock()
        self._idle: list[HttpConnection] = []
        self._closed = False

    def send(
        self, method: str, path: str, body: str | None, deadline: float, pending: PendingRequest | None = None
    ) -> Answer:
        """Send a request once; `deadline` is monotonic. It can be cancelled by its `pending`.

        Raises:
            ImageUnreachable: If no connection could be made: nothing was sent.
            Cancelled: If it was cancelled before: nothing was sent.
            LostAnswer: If it may have been sent and no complete answer arrived in time.
        """
        connection = self._take()
        try:
            send = partial(connection.send, method, path, body, deadline)
            answer = (pending or PendingRequest()).send(send, deadline, connection.cut)
        except BaseException:
            connection.close()
            raise
        self._give_back(connection)
        return answer

    def close(self) -> None:
        """Close all connections; those in use are closed after their answers."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _take(self) -> "HttpConnection":
        with self._lock:
            if self._idle:
                return self._idle.pop()  # the one used last, so that unused ones expire
        return HttpConnection(self._address)

    def _give_back(self, connection: "HttpConnection") -> None:
        with self._lock:
            if not self._closed and not connection.was_cut:
                self._idle.append(connection)
                return
        connection.close()


class HttpConnection:
    """One connection, made again when it has expired or broken. One thread uses it; any may `cut` it."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._connection: httpcore.HTTPConnection | None = None
        self._stream: Any = None  # httpcore's; known once it is connected
        self.was_cut = False
        self._headers = [
            (b"Host", address.url.removeprefix("http://").encode()),
            (b"Authorization", f"Bearer {address.token}".encode()),
        ]

    def send(self, method: str, path: str, body: str | None, deadline: float) -> Answer:
        """See Http."""
        import httpcore

        try:
            response = self._usable().handle_request(self._request(method, path, body, deadline))
            try:
                whole = self._collect(response.iter_stream(), deadline)
            finally:
                response.close()
        except httpcore.ConnectTimeout as error:
            raise ImageUnreachable(self._address.url, "it accepts no connections", listens=True) from error
        except httpcore.ConnectError as error:
            raise ImageUnreachable(self._address.url) from error
        except httpcore.TimeoutException as error:
            raise LateAnswer(LATE) from error
        except (httpcore.NetworkError, httpcore.ProtocolError) as error:
            if self.was_cut:
                raise LateAnswer(LATE) from error
            raise LostAnswer(f"the connection broke: {error}") from error
        sent = {name.lower(): value.decode("latin-1") for name, value in response.headers}
        return Answer(response.status, sent.get(b"x-pharo-mcp"), sent.get(b"content-type", ""), whole)

    def _usable(self) -> "httpcore.HTTPConnection":
        """The connection, or another one if the image has closed it or may be closing it."""
        import httpcore

        connection = self._connection
        if connection is None or connection.is_closed() or connection.has_expired():
            self.close()
            self._stream = None
            origin = httpcore.Origin(b"http", HOST, self._address.port)
            connection = httpcore.HTTPConnection(origin, keepalive_expiry=IDLE_CONNECTION_SECONDS)
            self._connection = connection
        return connection

    def _request(self, method: str, path: str, body: str | None, deadline: float) -> "httpcore.Request":
        import httpcore

        remaining = max(0.001, deadline - monotonic())
        timeout = {"connect": min(remaining, CONNECT_SECONDS), "read": remaining, "write": remaining}
        content, headers = b"", self._headers
        if body is not None:
            content = body.encode()
            headers = [*headers, *JSON, (b"Content-Length", b"%d" % len(content))]
        url = httpcore.URL(scheme=b"http", host=HOST, port=self._address.port, target=path)
        extensions: dict[str, object] = {"timeout": timeout}
        if self._stream is None:
            extensions["trace"] = self._trace
        return httpcore.Request(method, url, headers=headers, content=content, extensions=extensions)

    def cut(self) -> None:
        """End the request being sent or answered, by closing its connection."""
        self.was_cut = True
        stream = self._stream  # once: meanwhile the thread that uses the connection may make it again
        if stream is not None:
            with suppress(OSError):  # already gone
                stream.get_extra_info("socket").shutdown(SHUT_RDWR)

    def close(self) -> None:
        """Close the connection."""
        if self._connection is not None:
            self._connection.close()

    def _trace(self, event: str, details: Mapping[str, Any]) -> None:
        # Source: https://www.encode.io/httpcore/extensions/#trace
        if event == "connection.connect_tcp.complete":
            self._stream = details["return_value"]
            if self.was_cut:
                self.cut()

    @staticmethod
    def _collect(chunks: Iterator[bytes], deadline: float) -> bytes:
        whole = bytearray()
        for chunk in chunks:
            whole += chunk
            if len(whole) > REPLY_LIMIT:
                raise LostAnswer(f"it is longer than {REPLY_LIMIT} bytes")
            if monotonic() > deadline:
                raise LateAnswer(LATE)
        return bytes(whole)
