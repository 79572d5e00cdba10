"""A connection to a companion: its requests, by httpx, its identity, and the replies as typed values.

What cannot have run is sent again, by tenacity. Both are imported inside functions: importing them takes
longer than starting pharo-mcp.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from contextvars import ContextVar
from functools import cache
from threading import Event, Lock
from time import monotonic
from typing import Any, Generic, NamedTuple, TypeVar

from pharo_mcp import __version__, strict_json
from pharo_mcp.address import Address
from pharo_mcp.image.errors import (
    SMALLTALK_KINDS,
    AnswerLost,
    CompanionFault,
    ImageBusy,
    ImageError,
    ImageSaving,
    ImageSilent,
    ImageUnreachable,
    NothingRan,
    RequestCancelled,
    RequestRefused,
    SmalltalkError,
    StrangerOnPort,
    WrongToken,
)
from pharo_mcp.image.loading import renew
from pharo_mcp.image.replies.code import Undone
from pharo_mcp.image.replies.evaluations import Asking, Evaluation, Failure, Paused, Running
from pharo_mcp.image.replies.image import Loaded, Status
from pharo_mcp.image.replies.registrations import Called
from pharo_mcp.image.replies.testing import RanTests
from pharo_mcp.strict_json import ShapeMismatch, read_shape
from pharo_mcp.times import CONNECT_SECONDS, REQUEST_SECONDS

STATUS_SECONDS = 5.0
"""The first status request of a connection."""
IDLE_CONNECTION_SECONDS = 20.0
"""How long an idle connection is used again. Zinc closes it after 30, and a request on it would be lost."""
Result = TypeVar("Result")
PRODUCT = "pharo-mcp"
REPLY_LIMIT = 32 * 1024 * 1024
"""Largest answer in bytes."""
ATTEMPTS = 3
UNSENT = ImageSaving, ImageUnreachable
"""Errors after which a request is sent again: it has not run."""
LATE = "it did not arrive in time"

_ends: ContextVar[float] = ContextVar("_ends", default=float("inf"))


@contextmanager
def all_within(seconds: float) -> Iterator[None]:
    """Limit all requests of a block, in this thread, to these seconds, or to an outer limit if shorter."""
    before = _ends.set(until(seconds))
    try:
        yield
    finally:
        _ends.reset(before)


def until(seconds: float) -> float:
    """Return the monotonic time in these seconds, or the end of `all_within` if that is earlier."""
    return min(monotonic() + seconds, _ends.get())


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
        always = {"Authorization": f"Bearer {address.token}", "Accept-Encoding": "identity"}
        self._headers = {
            "GET": httpx.Headers(always),
            "POST": httpx.Headers({**always, "Content-Type": "application/json"}),
        }
        # A transport and no `Client`, which would take a third of a request's time for what is not used here:
        # redirects, cookies, proxies.
        self._transport = httpx.HTTPTransport(
            trust_env=False,
            verify=False,  # nothing is encrypted on loopback, and loading certificates is slow
            limits=httpx.Limits(max_connections=None, keepalive_expiry=IDLE_CONNECTION_SECONDS),
        )

    def send(self, method: str, path: str, body: str | None, deadline: float) -> Answer:
        """Send a request once; `deadline` is monotonic.

        It ends each read, and the whole body. Headers that drip are no companion's; a `Server` gives up a
        call that hangs.

        Raises:
            ImageUnreachable: If no connection could be made: nothing was sent.
            LostAnswer: If it may have been sent and no complete answer arrived in time.
        """
        import httpx

        remaining = max(0.001, deadline - monotonic())
        timeout = httpx.Timeout(remaining, connect=min(remaining, CONNECT_SECONDS))
        request = httpx.Request(
            method,
            self._url_of(path),
            headers=self._headers[method],
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


def _collect(chunks: Iterator[bytes], deadline: float) -> bytes:
    whole = bytearray()
    for chunk in chunks:
        whole += chunk
        if len(whole) > REPLY_LIMIT:
            raise LostAnswer(f"it is longer than {REPLY_LIMIT} bytes")
        if monotonic() > deadline:
            raise LateAnswer(LATE)
    return bytes(whole)


ProgressListener = Callable[[Running], None]
"""Is called with how far an evaluation is."""


class PendingRequest:
    """The requests that one caller waits for, until they are `done`; none is sent once it is `cancelled`."""

    def __init__(self, on_progress: ProgressListener | None = None) -> None:
        self.on_progress = on_progress
        self.cancelled = False
        self.done = Event()
        self._was_sent = False
        self._lock = Lock()

    def cancel(self) -> bool:
        """Send nothing more; return whether anything was sent, so that the image may be working on it."""
        with self._lock:
            self.cancelled = True
            return self._was_sent

    def begin_to_send(self) -> None:
        """Note that something is sent.

        Raises:
            RequestCancelled: If it was cancelled before; then it is not sent.
        """
        with self._lock:
            if self.cancelled:
                raise RequestCancelled
            self._was_sent = True


Outcome = Evaluation | RanTests | Loaded | Called | Undone | Running | Paused | Asking
"""The result of code, tests, a load, something registered or an undo; or that it runs, is paused or asks."""


def outcome_in(value: object) -> Outcome:
    """Return the outcome that the value of a reply holds."""
    match value:
        case {"running": True}:
            return read_shape(Running, value)
        case {"paused": dict()}:
            return read_shape(Paused, value)
        case {"asks": [_, *_]}:
            return read_shape(Asking, value)
        case {"contents": list()} | {"messages": list()}:
            return read_shape(Called, value)
        case {"tests": list()}:
            return read_shape(RanTests, value)
        case {"loaded": list()}:
            return read_shape(Loaded, value)
        case {"undone": list()}:
            return read_shape(Undone, value)
        case _:
            return read_shape(Evaluation, value)


Reply = TypeVar("Reply")


class Endpoint(NamedTuple, Generic[Reply]):
    """A path, what reads the value in a reply (or raises ShapeMismatch), and how long an answer may take."""

    path: str
    read: Callable[[object], Reply]
    seconds: float = REQUEST_SECONDS


class CompanionConnection:
    """A connection to a companion that has identified itself.

    `users` counts the requests in progress, for a caller that shares it between threads. `replacement` says
    what happened to the previous image, if this one replaces it; `welcome` is for the first answer of a
    session that did not name its image.
    """

    def __init__(self, address: Address, http: Http, status: Status) -> None:
        self.address = address
        self.status = status
        self.users = 0
        self.replacement: str | None = None
        self.welcome: str | None = None
        self._http = http

    @classmethod
    def connect(cls, address: Address, until: float) -> "CompanionConnection":
        """Connect, and check by a status request that the right companion answers.

        Raises:
            NothingRan: One of its subclasses, if it is not the companion.
        """
        http = Http(address)
        try:
            return cls(address, http, _introduction(address, http, until))
        except BaseException:
            http.close()
            raise

    def ask(
        self,
        endpoint: Endpoint[Reply],
        body: Mapping[str, object],
        deadline: float,
        pending: PendingRequest | None = None,
    ) -> Reply:
        """Send a request and return its reply.

        Raises:
            ImageError: If the reply is an error or not valid, or did not arrive.
        """
        if pending:
            pending.begin_to_send()
        try:
            answer = self._http.send("POST", endpoint.path, strict_json.write(body), deadline)
        except LostAnswer as lost:
            if pending and pending.cancelled:
                raise RequestCancelled from lost
            raise AnswerLost(self.address.url, str(lost)) from lost
        if pending and pending.cancelled:
            raise RequestCancelled
        value = _value(answer, self.address)
        try:
            return endpoint.read(value)
        except ShapeMismatch as mismatch:
            why = f"in its reply to {endpoint.path}, {mismatch}"
            raise CompanionFault(self.address.url, why) from mismatch

    def refresh(self, until: float) -> Status:
        """Ask for the status again."""
        self.status = _introduction(self.address, self._http, until)
        return self.status

    def close(self) -> None:
        """Close the connection."""
        self._http.close()


def _introduction(address: Address, http: Http, until: float) -> Status:
    try:
        answer = http.send("GET", "/status", None, min(until, monotonic() + STATUS_SECONDS))
    except LateAnswer as late:
        raise ImageSilent(address.url) from late
    except LostAnswer as lost:
        raise StrangerOnPort(address.url, f"asked for its status, {lost}") from lost
    _check_room(answer)
    _check_version(address, answer.companion)
    try:
        status = read_shape(Status, _value(answer, address))
    except (CompanionFault, ShapeMismatch) as error:
        raise StrangerOnPort(address.url, "its status is not valid") from error
    if status.product != PRODUCT:
        raise StrangerOnPort(address.url, f"it says that it is {status.product}")
    return status


def _check_room(answer: Answer) -> None:
    # Zinc itself refuses connections beyond its limit, without the companion's header.
    if answer.status == 503 and answer.companion is None:
        raise ImageBusy("The image is busy: its server accepts no more connections")


def _check_version(address: Address, companion: str | None) -> None:
    theirs, ours = _line(companion or ""), _line(__version__)
    if companion is None or theirs is None:
        raise StrangerOnPort(address.url, "its answer has no X-Pharo-Mcp header")
    if ours is not None and theirs != ours:
        raise other_version(address.url, companion, companion_is_older=theirs < ours)


def other_version(url: str, companion: str, *, companion_is_older: bool) -> NothingRan:
    """Return the error for versions of front end and companion that are incompatible."""
    older, fix = (
        ("companion in the image is older. Ask the user to evaluate in a Playground of Pharo", renew())
        if companion_is_older
        else (
            "front end is older. Ask the user to do this in a terminal",
            "    update pharo-mcp in the way it was installed,\nand to restart the MCP client.",
        )
    )
    return NothingRan(
        f"The companion at {url} has version {companion}, this pharo-mcp {__version__}: "
        f"these versions are incompatible. Nothing ran.\nThe {older}:\n{fix}",
        "otherVersion",
    )


def _line(version: str) -> tuple[int, int] | None:
    """Major and minor version: versions that share both are compatible."""
    found = re.match(r"(\d{1,9})\.(\d{1,9})(?!\d)", version)
    return found and (int(found[1]), int(found[2]))


def _value(answer: Answer, address: Address) -> object:
    _check_room(answer)
    if answer.companion is None:
        raise CompanionFault(address.url, "its reply has no X-Pharo-Mcp header")
    if answer.content_type.partition(";")[0].strip() != "application/json":
        raise CompanionFault(address.url, f"its reply is {answer.content_type or 'without a type'}, not JSON")
    try:
        reply: Any = strict_json.read(answer.body.decode("utf-8"))
        match reply:
            case {"ok": True, "value": dict(value)}:
                return {**value, **_beside(reply)}
            case {"ok": False, "error": dict(error)}:
                raise _error(read_shape(Failure, {**error, **_beside(reply)}), address)
    except (ValueError, RecursionError) as error:
        raise CompanionFault(address.url, f"its reply is not valid ({error})") from error
    raise CompanionFault(address.url, "its reply is not valid")


def _beside(reply: Mapping[str, object]) -> Mapping[str, object]:
    """Return the members beside the value or error: warnings that were resumed."""
    return {key: reply[key] for key in ("warnings",) if key in reply}


def _error(failure: Failure, address: Address) -> ImageError:
    match failure.kind:
        case "unauthorized":
            return WrongToken(address.url)
        case "saving":
            return ImageSaving(address.url)
        case "busy":
            return ImageBusy(failure.message_text or "The image is busy")
        case "internal":
            return CompanionFault(address.url, failure.message_text.removeprefix("The companion failed: "))
        case kind if kind in SMALLTALK_KINDS:
            return SmalltalkError(failure)
    return RequestRefused(failure)
