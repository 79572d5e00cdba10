"""First contact with an image, and the conversation after it."""

import re
from collections.abc import Mapping
from time import monotonic
from typing import Any

from pharo_mcp import __version__, strict_json
from pharo_mcp.address import Address
from pharo_mcp.image.connection_files import closed_to_be_saved
from pharo_mcp.image.endpoints import Endpoint, Reply
from pharo_mcp.image.errors import (
    SMALLTALK_KINDS,
    AnswerLost,
    CompanionFault,
    ImageBusy,
    ImageError,
    ImageSaving,
    ImageSilent,
    NothingRan,
    RequestCancelled,
    RequestRefused,
    SmalltalkError,
    StrangerOnPort,
    WrongToken,
)
from pharo_mcp.image.http import Answer, Cancelled, Http, LateAnswer, LostAnswer, PendingRequest
from pharo_mcp.image.loading import renew
from pharo_mcp.image.replies.evaluations import Failure
from pharo_mcp.image.replies.image import Status
from pharo_mcp.image.shapes import ShapeMismatch, read

STATUS_SECONDS = 5.0
"""The first status request of a connection."""


PRODUCT = "pharo-mcp"


class CompanionConnection:
    """A connection to a companion that has identified itself.

    `users` counts the requests in progress, for a caller that shares it between threads. `replacement` says
    what happened to the previous image, if this one replaces it; `welcome` is for the first answer of a
    session that did not name its image. In `folder`, if it is known, a companion says that it closes for a
    save.
    """

    def __init__(self, address: Address, http: Http, status: Status, folder: str | None = None) -> None:
        self.address = address
        self.status = status
        self.users = 0
        self.replacement: str | None = None
        self.welcome: str | None = None
        self._http = http
        self._folder = folder

    @classmethod
    def connect(cls, address: Address, until: float, folder: str | None = None) -> "CompanionConnection":
        """Connect, and check by a status request that the right companion answers.

        Raises:
            NothingRan: One of its subclasses, if it is not the companion.
        """
        http = Http(address)
        try:
            return cls(address, http, _introduction(address, http, until, folder), folder)
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
        try:
            answer = self._http.send("POST", endpoint.path, strict_json.write(body), deadline, pending)
        except Cancelled as cancelled:
            raise RequestCancelled from cancelled
        except LostAnswer as lost:
            if pending and pending.cancelled:
                raise RequestCancelled from lost
            _check_saving(lost, self.address, self._folder)
            raise AnswerLost(self.address.url, str(lost)) from lost
        value = _value(answer, self.address)
        try:
            return endpoint.read(value)
        except ShapeMismatch as mismatch:
            why = f"in its reply to {endpoint.path}, {mismatch}"
            raise CompanionFault(self.address.url, why) from mismatch

    def refresh(self, until: float) -> Status:
        """Ask for the status again."""
        self.status = _introduction(self.address, self._http, until, self._folder)
        return self.status

    def close(self) -> None:
        """Close the connection."""
        self._http.close()


def _check_saving(lost: LostAnswer, address: Address, folder: str | None) -> None:
    """Check that a connection was not broken by a save.

    Raises:
        ImageSaving: If it was, before the request ran.
    """
    if folder and not isinstance(lost, LateAnswer) and (saved := closed_to_be_saved(folder, address.url)):
        raise ImageSaving(saved.name) from lost


def _introduction(address: Address, http: Http, until: float, folder: str | None) -> Status:
    try:
        answer = http.send("GET", "/status", None, min(until, monotonic() + STATUS_SECONDS))
    except LateAnswer as late:
        raise ImageSilent(address.url) from late
    except LostAnswer as lost:
        _check_saving(lost, address, folder)
        raise StrangerOnPort(address.url, f"asked for its status, {lost}") from lost
    _check_room(answer)
    _check_version(address, answer.companion)
    try:
        status = read(Status, _value(answer, address))
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
                raise _error(read(Failure, {**error, **_beside(reply)}), address)
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
