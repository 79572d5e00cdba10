"""HTTP to one address: the only module that knows httpx and tenacity.

Both are imported inside functions: together they take far longer than all of our start.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from socket import SHUT_RDWR
from threading import Lock
from time import monotonic
from typing import Any, NamedTuple, TypeVar

from pharo_mcp import __version__

from .address import Address
from .errands import Errand
from .errors import ImageUnreachable

Result = TypeVar("Result")

KEEP_ALIVE = 20.0
"""Seconds that an idle connection is used again.

Zinc closes one after 30. A request on a connection that the other side has just closed is lost, and
nothing proves that it was not read before: so such a connection must not be used, for none is retried.
"""
CONNECT_LIMIT = 3.0
"""Seconds that connecting may take; on loopback it takes none unless nobody accepts."""
REPLY_LIMIT = 32 * 1024 * 1024
"""Bytes in an answer."""
ATTEMPTS = 3
LATE = "it did not come in time"


class Answer(NamedTuple):
    """What came back; `companion` is the version in its header, None if it has none."""

    status: int
    companion: str | None
    content_type: str
    body: bytes


class LostAnswer(Exception):
    """The request was sent, perhaps, and no whole answer came; the words say why."""


class LateAnswer(LostAnswer):
    """It did not come in time."""


def warm() -> None:
    """Import what sending needs, so that the first call need not wait for it."""
    import httpx  # noqa: F401
    import tenacity  # noqa: F401


def retrying(attempt: Callable[[], Result], until: float) -> Result:
    """Run an attempt, and again if it could not connect: what was never sent cannot have run.

    Nothing else is ever tried again. `until` is monotonic.
    """
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
    return retries(attempt)


class Http:
    """Requests to one address, from any thread: each over a line of its own, kept alive for the next."""

    def __init__(self, address: Address) -> None:
        self._address = address
        self._lock = Lock()
        self._idle: list[Line] = []
        self._closed = False

    def send(
        self, method: str, path: str, body: str | None, deadline: float, errand: Errand | None = None
    ) -> Answer:
        """Send one request, once; `deadline` is monotonic. An errand can be called back on the way.

        Raises:
            ImageUnreachable: If no connection came about: nothing was sent.
            CalledBack: If the errand was called back before: nothing was sent.
            LostAnswer: If it may have been sent and no whole answer came in time.
        """
        line = self._take()
        try:
            with (errand or Errand()).out(deadline, line.cut):
                answer = line.send(method, path, body, deadline)
        except BaseException:
            line.close()
            raise
        self._give_back(line)
        return answer

    def close(self) -> None:
        """Close every connection; those in use after their answers."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for line in idle:
            line.close()

    def _take(self) -> "Line":
        with self._lock:
            if self._idle:
                return self._idle.pop()  # the one used last, so that those not needed grow old
        return Line(self._address)

    def _give_back(self, line: "Line") -> None:
        with self._lock:
            if not self._closed and not line.was_cut:
                self._idle.append(line)
                return
        line.close()


class Line:
    """One connection at a time, made anew when it is old or gone; for one thread, but `cut` is for all."""

    def __init__(self, address: Address) -> None:
        import httpx

        self._address = address
        self._stream: Any = None  # httpcore's; known once it is connected
        self.was_cut = False
        self._client = httpx.Client(
            base_url=address.url,
            headers={
                "Authorization": f"Bearer {address.token}",
                "Accept": "application/json",
                "Accept-Encoding": "identity",
                "User-Agent": f"pharo-mcp/{__version__}",
            },
            limits=httpx.Limits(max_connections=1, keepalive_expiry=KEEP_ALIVE),
            trust_env=False,  # a proxy in the environment must not catch loopback
            verify=False,  # noqa: S501 - no TLS on loopback; loading certificates would take 17 ms
        )

    def send(self, method: str, path: str, body: str | None, deadline: float) -> Answer:
        """See Http."""
        import httpx

        remaining = max(0.001, deadline - monotonic())
        timeout = httpx.Timeout(remaining, connect=min(remaining, CONNECT_LIMIT))
        headers = {} if body is None else {"Content-Type": "application/json"}
        trace = {"trace": self._take_note}
        try:
            with self._client.stream(
                method, path, content=body, headers=headers, timeout=timeout, extensions=trace
            ) as response:
                whole = self._collect(response.iter_raw(), deadline)
                told = response.headers
                return Answer(
                    response.status_code, told.get("X-Pharo-Mcp"), told.get("Content-Type", ""), whole
                )
        except httpx.ConnectTimeout as error:
            raise ImageUnreachable(self._address, "it takes no connections") from error
        except httpx.ConnectError as error:
            raise ImageUnreachable(self._address) from error
        except httpx.TimeoutException as error:
            raise LateAnswer(LATE) from error
        except httpx.HTTPError as error:
            if self.was_cut:
                raise LateAnswer(LATE) from error
            raise LostAnswer(f"the connection broke: {error}") from error

    def cut(self) -> None:
        """End the request under way, and with it the connection."""
        self.was_cut = True
        if self._stream is not None:
            with suppress(OSError):  # already gone
                self._stream.get_extra_info("socket").shutdown(SHUT_RDWR)

    def close(self) -> None:
        """Close the connection."""
        self._client.close()

    def _take_note(self, event: str, told: Mapping[str, Any]) -> None:
        # Source: https://www.encode.io/httpcore/extensions/#trace
        if event == "connection.connect_tcp.complete":
            self._stream = told["return_value"]
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
