"""HTTP requests to one address, by httpx; what cannot have run is sent again, by tenacity.

Both are imported inside functions: importing them takes longer than starting pharo-mcp.
"""

from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from functools import cache
from queue import Empty, SimpleQueue
from threading import Event, Lock
from time import monotonic
from typing import NamedTuple, TypeVar

from pharo_mcp.address import Address
from pharo_mcp.image.errors import ImageSaving, ImageUnreachable
from pharo_mcp.pool import Pool
from pharo_mcp.times import CONNECT_SECONDS

SLACK_SECONDS = 0.1
"""How much longer a caller waits than httpx, which knows whether anything was sent."""
IDLE_CONNECTION_SECONDS = 20.0
"""How long an idle connection is used again. Zinc closes it after 30, and a request on it would be lost."""


class Cancelled(Exception):
    """The request was cancelled."""


class PendingRequest:
    """One request to an image, or several in sequence for the same purpose, until they are `done`.

    It is cancelled in two steps: `cancel` sends nothing more, and `give_up` ends the wait for what was sent.
    In between, the image is asked to stop.
    """

    def __init__(self) -> None:
        self.cancelled = False
        self.done = Event()
        self._lock = Lock()
        self._abandon: Callable[[], None] | None = None

    def cancel(self) -> bool:
        """Send nothing more; return whether anything was sent, so that the image may be working on it."""
        with self._lock:
            self.cancelled = True
            return self._abandon is not None

    def give_up(self) -> None:
        """Let the caller wait no longer for what was sent."""
        if self._abandon:
            self._abandon()

    def begin_to_send(self, abandon: Callable[[], None]) -> None:
        """Note that something is sent; `abandon` ends the wait for its answer.

        Raises:
            Cancelled: If it was cancelled before; then it is not sent.
        """
        with self._lock:
            if self.cancelled:
                raise Cancelled
            self._abandon = abandon


Result = TypeVar("Result")
REPLY_LIMIT = 32 * 1024 * 1024
"""Largest answer in bytes."""
ATTEMPTS = 3
UNSENT = ImageSaving, ImageUnreachable
"""Errors after which a request is sent again: it has not run."""
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
    import httpx  # noqa: F401
    import tenacity  # noqa: F401


def repeat_unsent(attempt: Callable[[], Result], until: float) -> Result:
    """Run an attempt, and repeat it if it could not connect, or met an image that is about to be saved.

    Such a request cannot have run. After any other error it is not repeated. `until` is monotonic.
    """
    with suppress(*UNSENT):
        return attempt()  # here: tenacity would add a tenth to the time of each request
    from tenacity import (
        Retrying,
        retry_if_exception_type,
        stop_after_attempt,
        stop_before_delay,
        wait_random_exponential,
    )

    retries = Retrying(
        retry=retry_if_exception_type(UNSENT),
        stop=stop_after_attempt(ATTEMPTS - 1) | stop_before_delay(max(0.0, until - monotonic())),
        wait=wait_random_exponential(multiplier=0.1, max=0.2),
        reraise=True,
    )
    return retries(attempt)


class Http:
    """Sends requests to one address, from any thread; connections are kept alive and used again."""

    def __init__(self, address: Address) -> None:
        import httpx

        self._url = address.url
        self._url_of = cache(lambda path: httpx.URL(address.url + path))  # parsing one takes long
        self._headers = {"Authorization": f"Bearer {address.token}", "Accept-Encoding": "identity"}
        # A transport and no `Client`, which would take a third of a request's time for what is not used here:
        # redirects, cookies, proxies.
        self._transport = httpx.HTTPTransport(
            trust_env=False,
            verify=False,  # nothing is encrypted on loopback, and loading certificates is slow
            limits=httpx.Limits(max_connections=None, keepalive_expiry=IDLE_CONNECTION_SECONDS),
        )
        self._pool = Pool()

    def send(
        self, method: str, path: str, body: str | None, deadline: float, pending: PendingRequest | None = None
    ) -> Answer:
        """Send a request once; `deadline` is monotonic.

        Another thread sends it. The timeout of httpx is for each read, so that it alone would not end
        headers that drip; the deadline is for the whole answer.

        Raises:
            ImageUnreachable: If no connection could be made: nothing was sent.
            LostAnswer: If it may have been sent and no complete answer arrived in time.
            Cancelled: If the pending request was cancelled, and not sent or given up.
        """
        answered: SimpleQueue[Answer | BaseException] = SimpleQueue()

        def exchange() -> None:
            try:
                answered.put(self._exchange(method, path, body, deadline))
            except BaseException as error:  # noqa: BLE001 - for the caller
                answered.put(error)

        if pending:
            pending.begin_to_send(lambda: answered.put(Cancelled()))
        self._pool.run(exchange)
        try:
            answer = answered.get(timeout=max(0.0, deadline - monotonic()) + SLACK_SECONDS)
        except Empty as empty:
            raise LateAnswer(LATE) from empty
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def _exchange(self, method: str, path: str, body: str | None, deadline: float) -> Answer:
        import httpx

        remaining = max(0.001, deadline - monotonic())
        timeout = httpx.Timeout(remaining, connect=min(remaining, CONNECT_SECONDS))
        request = httpx.Request(
            method,
            self._url_of(path),
            headers=self._headers if body is None else {**self._headers, "Content-Type": "application/json"},
            content=body,
            extensions={"timeout": timeout.as_dict()},
        )
        try:
            with closing(self._transport.handle_request(request)) as response:
                whole = _collect(response.iter_raw(), deadline)
        except httpx.ConnectTimeout as error:
            raise ImageUnreachable(self._url, "it accepts no connections", listens=True) from error
        except httpx.ConnectError as error:
            raise ImageUnreachable(self._url) from error
        except httpx.TimeoutException as error:
            raise LateAnswer(LATE) from error
        except httpx.TransportError as error:
            raise LostAnswer(f"the connection broke: {error}") from error
        given = response.headers
        return Answer(response.status_code, given.get("X-Pharo-Mcp"), given.get("Content-Type", ""), whole)

    def close(self) -> None:
        """Close all connections; a request that still uses one fails."""
        self._transport.close()
        self._pool.close()


def _collect(chunks: Iterator[bytes], deadline: float) -> bytes:
    whole = bytearray()
    for chunk in chunks:
        whole += chunk
        if len(whole) > REPLY_LIMIT:
            raise LostAnswer(f"it is longer than {REPLY_LIMIT} bytes")
        if monotonic() > deadline:
            raise LateAnswer(LATE)
    return bytes(whole)
