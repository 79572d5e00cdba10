"""HTTP requests to one address. The only module that uses httpx and tenacity.

Both are imported inside functions: importing them takes far longer than starting pharo-mcp.
"""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, lru_cache
from socket import SHUT_RDWR
from threading import Lock
from time import monotonic
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from pharo_mcp import __version__
from pharo_mcp.address import Address
from pharo_mcp.image.errors import ImageUnreachable
from pharo_mcp.times import CONNECT_SECONDS, IDLE_CONNECTION_SECONDS

from .pending_request import PendingRequest

if TYPE_CHECKING:
    from ssl import SSLContext

    import httpx

Result = TypeVar("Result")

REPLY_LIMIT = 32 * 1024 * 1024
"""Largest answer in bytes."""
ATTEMPTS = 3
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
    with _without("click"):  # or httpx would import its command line, if it is installed: 2 MB
        import httpx  # noqa: F401


@contextmanager
def _without(name: str) -> Iterator[None]:
    """Make a module that is not imported yet count as not installed."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment]  # documented: importing it raises ImportError
    try:
        yield
    finally:
        sys.modules.pop(name, None)


def repeat_unsent(attempt: Callable[[], Result], until: float) -> Result:
    """Run an attempt, and repeat it if it could not connect: a request that was not sent cannot have run.

    After any other error it is not repeated. `until` is monotonic.
    """
    try:
        return attempt()
    except ImageUnreachable as error:
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
        retry=retry_if_exception_type(ImageUnreachable),
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
            with (pending or PendingRequest()).sending(deadline, connection.cut):
                answer = connection.send(method, path, body, deadline)
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


@cache
def _no_tls() -> "SSLContext":
    """The one context of all connections, which use none: they are on loopback.

    Without it, each would make its own; and loading certificates would take 17 ms.
    """
    from ssl import PROTOCOL_TLS_CLIENT, SSLContext

    return SSLContext(PROTOCOL_TLS_CLIENT)


@lru_cache
def _parsed(url: str) -> "httpx.URL":
    """The URL; httpx would parse the text again for each request."""
    import httpx

    return httpx.URL(url)


class HttpConnection:
    """One connection, made again when it has expired or broken. One thread uses it; any may `cut` it."""

    def __init__(self, address: Address) -> None:
        import httpx

        self._address = address
        self._stream: Any = None  # httpcore's; known once it is connected
        self.was_cut = False
        # Not a Client: for each request, it would look for cookies, redirects and a proxy, which takes longer
        # than sending it.
        self._transport = httpx.HTTPTransport(
            verify=_no_tls(),
            limits=httpx.Limits(max_connections=1, keepalive_expiry=IDLE_CONNECTION_SECONDS),
            trust_env=False,
        )
        self._headers = httpx.Headers(
            {
                "Authorization": f"Bearer {address.token}",
                "Content-Type": "application/json",
                "User-Agent": f"pharo-mcp/{__version__}",
            }
        )

    def send(self, method: str, path: str, body: str | None, deadline: float) -> Answer:
        """See Http."""
        import httpx

        remaining = max(0.001, deadline - monotonic())
        timeout = {
            **dict.fromkeys(("read", "write", "pool"), remaining),
            "connect": min(remaining, CONNECT_SECONDS),
        }
        request = httpx.Request(
            method,
            _parsed(self._address.url + path),
            headers=self._headers,
            content=body,
            extensions={"timeout": timeout, "trace": self._trace},
        )
        try:
            response = self._transport.handle_request(request)
            try:
                whole = self._collect(response.iter_raw(), deadline)
            finally:
                response.close()
        except httpx.ConnectTimeout as error:
            raise ImageUnreachable(self._address.url, "it accepts no connections", listens=True) from error
        except httpx.ConnectError as error:
            raise ImageUnreachable(self._address.url) from error
        except httpx.TimeoutException as error:
            raise LateAnswer(LATE) from error
        except httpx.HTTPError as error:
            if self.was_cut:
                raise LateAnswer(LATE) from error
            raise LostAnswer(f"the connection broke: {error}") from error
        sent = response.headers
        return Answer(response.status_code, sent.get("X-Pharo-Mcp"), sent.get("Content-Type", ""), whole)

    def cut(self) -> None:
        """End the request being sent or answered, by closing its connection."""
        self.was_cut = True
        if self._stream is not None:
            with suppress(OSError):  # already gone
                self._stream.get_extra_info("socket").shutdown(SHUT_RDWR)

    def close(self) -> None:
        """Close the connection."""
        self._transport.close()

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
