"""From a method's name to what answers it."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pharo_mcp.jsonrpc import InternalError, InvalidParams, InvalidRequest, MethodNotFound
from pharo_mcp.protocol import MODERN_REVISIONS, Call, Revision

BUSY = (
    "pharo-mcp is busy: this waited for other calls until there was no time left to do it, and nothing ran. "
    "Wait until some of them are answered, then ask again; fewer at once are answered sooner."
)


class Question(NamedTuple):
    """A request, as a method sees it."""

    params: Mapping[str, object]
    revision: Revision
    call: Call


def never(question: Question) -> bool:
    """The rule of a method that is not quick, whatever it is asked."""
    return False


def refuse(question: Question) -> dict[str, object]:
    """Say that no worker was free in time."""
    raise InternalError(BUSY, {"kind": "busy"})


class Method(NamedTuple):
    """One row of the table of methods."""

    answer: Callable[[Question], dict[str, object]]
    legacy: bool = True
    modern: bool = True
    for_news: bool = False  # of no use where no news are told
    opens: bool = False  # may come before the handshake
    stays_open: bool = False  # is acknowledged and not answered: its sender listens until it cancels
    waits: bool = False  # asks the image, so a worker runs it
    turn_away: Callable[[Question], dict[str, object]] = refuse  # answers instead of it, if none is free
    is_quick: Callable[[Question], bool] = never  # whether it need not wait behind others that wait
    fresh_ms: int | None = None  # how long a modern client may keep the result


class Router:
    """The table of methods, and which of them are there in which era."""

    def __init__(self, methods: Mapping[str, Method]) -> None:
        self._methods = methods

    def find(self, name: str, revision: Revision | None) -> Method:
        """The method of that name; the revision is None before any handshake.

        Raises:
            InvalidRequest: If the handshake has to come first.
            MethodNotFound: If the revision has no such method.
        """
        method = self._methods.get(name)
        if revision is None:
            if method and method.opens:
                return method
            raise InvalidRequest(f"initialize must come before {name}")
        if method is None:
            raise MethodNotFound(name)
        if revision.modern and not method.modern:
            raise MethodNotFound(name, {"supported": list(MODERN_REVISIONS)})
        if (not revision.modern and not method.legacy) or (method.for_news and not revision.tells_news):
            raise MethodNotFound(name)
        return method


def text_in(params: Mapping[str, object], name: str) -> str:
    """The string of that name.

    Raises:
        InvalidParams: If there is none.
    """
    value = params.get(name)
    if isinstance(value, str):
        return value
    raise InvalidParams(f"{name} is missing" if value is None else f"{name} must be a string")
