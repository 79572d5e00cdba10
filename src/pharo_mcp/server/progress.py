"""What a sender hears of its request before the answer, if it asked for that by a token."""

from collections.abc import Callable, Mapping

from pharo_mcp.jsonrpc import Id, Notification, encode
from pharo_mcp.protocol import Call

from .router import Question

Tell = Callable[[Call, float, str | None], None]
"""Takes a report on a call: how far it is, and what there is to say in words."""


def token_in(params: Mapping[str, object]) -> Id | None:
    """What a sender wants progress to be told by; None if it wants none, or gave no token that is one."""
    match params:
        case {"_meta": {"progressToken": str() | int() as token}} if not isinstance(token, bool):
            return token
    return None


def notification(question: Question, progress: float, message: str | None) -> bytes:
    """One line that tells progress on a question that came with a token."""
    words = {"message": message} if message is not None and question.revision.progress_messages else {}
    params = {"progressToken": token_in(question.params), "progress": progress, **words}
    return encode(Notification("notifications/progress", params))
