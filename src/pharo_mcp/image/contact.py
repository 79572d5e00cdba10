"""First contact with an image, and the conversation after it."""

import json
import re
from collections.abc import Mapping
from time import monotonic

from pharo_mcp import __version__

from .address import Address
from .errands import CalledBack, Errand
from .errors import (
    AnswerLost,
    CompanionFault,
    ImageBusy,
    ImageError,
    ImageSilent,
    NobodyWaits,
    OtherVersion,
    StrangerOnPort,
    WrongToken,
)
from .http import Answer, Http, LateAnswer, LostAnswer
from .refusals import refusal
from .replies import Failure, Status
from .shapes import ShapeMismatch, read
from .smalltalk_error import FATES, SmalltalkError

CONTACT_LIMIT = 5.0
"""Seconds that a companion may take to say who it is."""
PRODUCT = "pharo-mcp"


class Contact:
    """An image that has shown who it is, and the connections to it.

    `users` is for whoever shares it between threads: how many requests are under way.
    """

    def __init__(self, address: Address, http: Http, status: Status) -> None:
        self.address = address
        self.status = status
        self.users = 0
        self._http = http

    @classmethod
    def meet(cls, address: Address, until: float) -> "Contact":
        """Ask who is there, before anything that matters is sent.

        Raises:
            NothingRan: One of its kinds, for whatever is not the companion that we want.
        """
        http = Http(address)
        try:
            return cls(address, http, _introduction(address, http, until))
        except BaseException:
            http.close()
            raise

    def ask(
        self, path: str, body: Mapping[str, object], deadline: float, errand: Errand | None = None
    ) -> object:
        """Send a request and answer the value in its reply.

        Raises:
            ImageError: If there is none; see there for what that means.
        """
        try:
            answer = self._http.send("POST", path, json.dumps(body), deadline, errand)
        except CalledBack as called_back:
            raise NobodyWaits from called_back
        except LostAnswer as lost:
            if errand and errand.called_back:
                raise NobodyWaits from lost
            raise AnswerLost(self.address, str(lost)) from lost
        return _value(answer, self.address)

    def refresh(self, until: float) -> Status:
        """Ask again who is there."""
        self.status = _introduction(self.address, self._http, until)
        return self.status

    def close(self) -> None:
        """Close the connections."""
        self._http.close()


def _introduction(address: Address, http: Http, until: float) -> Status:
    try:
        answer = http.send("GET", "/status", None, min(until, monotonic() + CONTACT_LIMIT))
    except LateAnswer as late:
        raise ImageSilent(address) from late
    except LostAnswer as lost:
        raise StrangerOnPort(address, f"asked for its status, {lost}") from lost
    _check_room(answer)
    _check_version(address, answer.companion)
    try:
        status = read(Status, _value(answer, address))
    except (CompanionFault, ShapeMismatch) as error:
        raise StrangerOnPort(address, "its status is not one") from error
    if status.product != PRODUCT:
        raise StrangerOnPort(address, f"it says that it is {status.product}")
    return status


def _check_room(answer: Answer) -> None:
    # Zinc refuses connections beyond its limit by itself, without the companion's header.
    if answer.status == 503 and answer.companion is None:
        raise ImageBusy("The image is busy: its server takes no more connections")


def _check_version(address: Address, companion: str | None) -> None:
    theirs, ours = _line(companion or ""), _line(__version__)
    if companion is None or theirs is None:
        raise StrangerOnPort(address, "its answer has no X-Pharo-Mcp header")
    if ours is not None and theirs != ours:
        raise OtherVersion(address, companion, companion_is_older=theirs < ours)


def _line(version: str) -> tuple[int, int] | None:
    """Major and minor: versions that share both belong together."""
    found = re.match(r"(\d{1,9})\.(\d{1,9})(?!\d)", version)
    return found and (int(found[1]), int(found[2]))


def _value(answer: Answer, address: Address) -> object:
    _check_room(answer)
    if answer.companion is None:
        raise CompanionFault(address, "its reply has no X-Pharo-Mcp header")
    if not re.match(r"application/json\b", answer.content_type):
        raise CompanionFault(address, f"its reply is {answer.content_type or 'of no type'}, not JSON")
    try:
        reply = json.loads(answer.body.decode("utf-8"))
        match reply:
            case {"ok": True, "value": dict(value)}:
                return {**value, **_beside(reply)}
            case {"ok": False, "error": dict(error)}:
                raise _error(read(Failure, {**error, **_beside(reply)}), address)
    except (ValueError, RecursionError) as error:
        raise CompanionFault(address, f"its reply cannot be understood ({error})") from error
    raise CompanionFault(address, "its reply cannot be understood")


def _beside(reply: Mapping[str, object]) -> Mapping[str, object]:
    """What stands beside value or error: warnings that were resumed on the way."""
    return {key: reply[key] for key in ("warnings",) if key in reply}


def _error(failure: Failure, address: Address) -> ImageError:
    match failure.kind:
        case "unauthorized":
            return WrongToken(address)
        case "busy":
            return ImageBusy(failure.message_text or "The image is busy")
        case "internal":
            return CompanionFault(address, failure.message_text.removeprefix("The companion failed: "))
        case kind if kind in FATES:
            return SmalltalkError(failure)
    return refusal(failure)
