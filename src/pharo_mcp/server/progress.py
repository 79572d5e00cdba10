"""Progress notifications, for requests that carry a progress token."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pharo_mcp.protocol.call import Call
from pharo_mcp.wire.jsonrpc import Id, Notification, encode, is_id

from .router import RequestContext

SendReport = Callable[[Call, float, str | None, float | None], None]
"""Is called with a call, its progress, a message, and the progress at which it is done."""


class Report(NamedTuple):
    """How far a call is."""

    call: Call
    progress: float
    message: str | None
    total: float | None


def token_in(params: Mapping[str, object]) -> Id | None:
    """The progress token of a request; None if it has none, or an invalid one."""
    meta = params.get("_meta")
    token = meta.get("progressToken") if isinstance(meta, dict) else None
    return token if is_id(token) else None


def notification(context: RequestContext, report: Report) -> bytes:
    """A progress notification, encoded."""
    params = {"progressToken": token_in(context.params), "progress": report.progress}
    if report.total is not None:
        params["total"] = report.total
    if report.message is not None and context.revision.progress_messages:
        params["message"] = report.message
    return encode(Notification("notifications/progress", params))
