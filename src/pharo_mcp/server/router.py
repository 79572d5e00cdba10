"""The table of methods: which function answers which request."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.revisions import MODERN_REVISIONS, Revision
from pharo_mcp.wire.jsonrpc import InternalError, InvalidParams, InvalidRequest, MethodNotFound

BUSY = (
    "pharo-mcp is busy: this request waited for other calls until its time was over. Nothing ran. "
    "Repeat it when some of them have been answered; fewer calls at once are answered sooner."
)


class RequestContext(NamedTuple):
    """A request as its method sees it."""

    params: Mapping[str, object]
    revision: Revision
    call: Call


def never_quick(context: RequestContext) -> bool:
    """The rule of a method that may always take long."""
    return False


def refuse(context: RequestContext) -> dict[str, object]:
    """Report that no worker was free in time."""
    raise InternalError(BUSY, {"kind": "busy"})


def always_quick(context: RequestContext) -> bool:
    """The rule of a method that never takes long."""
    return True


class Method(NamedTuple):
    """One row of the table of methods."""

    answer: Callable[[RequestContext], dict[str, object]]
    legacy: bool = True
    modern: bool = True
    needs_notifications: bool = False  # needed only where notifications are sent
    needs_tasks: bool = False  # of a legacy revision: only the one that has them
    opens: bool = False  # allowed before the handshake
    stays_open: bool = False  # acknowledged, not answered: its sender listens until it cancels
    may_ask: bool = False  # its client can be asked something before it is answered
    waits: bool = False  # asks the image, so it is run while others are handled
    answer_busy: Callable[[RequestContext], dict[str, object]] = (
        refuse  # answers instead of it, if none is free
    )
    is_quick: Callable[[RequestContext], bool] = never_quick  # whether it may overtake requests that wait
    put_off: "Callable[[RequestContext, Callable[[], None]], None] | None" = (
        None  # calls its second argument when it is to be run; its sender may wait for long
    )
    fresh_ms: int | None = None  # how long a modern client may cache the result


class Router:
    """Finds methods by name, revision and era."""

    def __init__(self, methods: Mapping[str, Method]) -> None:
        self._methods = methods

    def find(self, name: str, revision: Revision | None) -> Method:
        """The method of that name; the revision is None before the first handshake.

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
        if not revision.modern and not (
            method.legacy
            and (revision.sends_notifications or not method.needs_notifications)
            and (revision.tasks or not method.needs_tasks)
        ):
            raise MethodNotFound(name)
        return method


def text_in(params: Mapping[str, object], name: str) -> str:
    """The string parameter of that name.

    Raises:
        InvalidParams: If it is missing or not a string.
    """
    value = params.get(name)
    if isinstance(value, str):
        return value
    raise InvalidParams(f"{name} is missing" if value is None else f"{name} must be a string")


def object_in(
    params: Mapping[str, object], name: str, default: Mapping[str, object] | None = None
) -> Mapping[str, object]:
    """The object among the params of that name, or the default.

    Raises:
        InvalidParams: If it is missing without a default, or not an object.
    """
    match params.get(name, default):
        case dict() as given:
            return given
        case None:
            if default is not None:
                return default
            raise InvalidParams(f"{name} is missing")
    raise InvalidParams(f"{name} must be an object")
