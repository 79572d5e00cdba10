"""HTTP to one address: the only module that knows httpx and tenacity.

Both are imported inside functions: together they take far longer than all of our start.
"""

from collections.abc import Callable, Iterator
from time import monotonic
from typing import NamedTuple, TypeVar

from pharo_mcp import __version__

from .address import Address
from .errors import ImageBusy, ImageUnreachable

Result = TypeVar("Result")

AT_ONCE = 8
"""Requests that an image is asked to work on at the same time."""
RESERVED = 1
"""Connections kept for status, which must get through when all others are taken."""
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


class Answer(NamedTuple):
    """What came back; `companion` is the version in its header, None if it has none."""

    status: int
    companion: str | None
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
    """Requests to one address over kept-alive connections, from any thread."""

    def __init__(self, address: Address) -> None:
        import httpx

        self._address = address
        self._client = httpx.Client(
            base_url=address.url,
            headers={
                "Authorization": f"Bearer {address.token}",
                "Accept": "application/json",
                "Accept-Encoding": "identity",
                "User-Agent": f"pharo-mcp/{__version__}",
            },
            limits=httpx.Limits(max_connections=AT_ONCE + RESERVED, keepalive_expiry=KEEP_ALIVE),
            trust_env=False,  # a proxy in the environment must not catch loopback
            verify=False,  # noqa: S501 - no TLS on loopback; loading certificates would take 17 ms
        )

    def send(self, method: str, path: str, body: str | None, deadline: float) -> Answer:
        """Send one request, once; `deadline` is monotonic.

        Raises:
            ImageUnreachable: If no connection came about: nothing was sent.
            ImageBusy: If none was free: nothing was sent.
            LostAnswer: If it may have been sent and no whole answer came in time.
        """
        import httpx

        remaining = max(0.001, deadline - monotonic())
        timeout = httpx.Timeout(remaining, connect=min(remaining, CONNECT_LIMIT))
        headers = {} if body is None else {"Content-Type": "application/json"}
        try:
            with self._client.stream(
                method, path, content=body, headers=headers, timeout=timeout
            ) as response:
                whole = self._collect(response.iter_raw(), deadline)
                return Answer(response.status_code, response.headers.get("X-Pharo-Mcp"), whole)
        except httpx.ConnectTimeout as error:
            raise ImageUnreachable(self._address, "it takes no connections") from error
        except httpx.ConnectError as error:
            raise ImageUnreachable(self._address) from error
        except httpx.PoolTimeout as error:
            raise ImageBusy("all connections to it are in use") from error
        except httpx.TimeoutException as error:
            raise LateAnswer("it did not come in time") from error
        except httpx.HTTPError as error:
            raise LostAnswer(f"the connection broke: {error}") from error

    def close(self) -> None:
        """Close every connection, those in use too."""
        self._client.close()

    @staticmethod
    def _collect(chunks: Iterator[bytes], deadline: float) -> bytes:
        whole = bytearray()
        for chunk in chunks:
            whole += chunk
            if len(whole) > REPLY_LIMIT:
                raise LostAnswer(f"it is longer than {REPLY_LIMIT} bytes")
            if monotonic() > deadline:
                raise LateAnswer("it did not come in time")
        return bytes(whole)
