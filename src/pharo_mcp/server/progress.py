"""What a sender hears of its request before the answer, if it asked for that by a token."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from pharo_mcp.jsonrpc import Id, Notification, encode, is_id
from pharo_mcp.protocol import Call

from .router import Question

Tell = Callable[[Call, float, str | None, float | None], None]
"""Takes a report on a call: how far it is, what there is to say in words, and of how much it is that far."""


class Reported(NamedTuple):
    """A handler's word on how far a call is."""

    call: Call
    progress: float
    message: str | None
    total: float | None


def token_in(params: Mapping[str, object]) -> Id | None:
    """What a sender wants progress to be told by; None if it wants none, or gave no token that is one."""
    meta = params.get("_meta")
    token = meta.get("progressToken") if isinstance(meta, dict) else None
    return token if is_id(token) else None


def notification(question: Question, report: Reported) -> bytes:
    """The encoded line that tells the sender of a question with a token."""
    params = {"progressToken": token_in(question.params), "progress": report.progress}
    if report.total is not None:
        params["total"] = report.total
    if report.message is not None and question.revision.progress_messages:
        params["message"] = report.message
    return encode(Notification("notifications/progress", params))
