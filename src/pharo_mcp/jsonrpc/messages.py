"""The messages of JSON-RPC 2.0."""

from collections.abc import Mapping
from typing import NamedTuple, TypeGuard

from .errors import JsonRpcError

Id = str | int
"""MCP allows strings and integers; JSON-RPC's null and fractional ids are refused."""


def is_id(value: object) -> TypeGuard[Id]:
    """Whether a JSON value can be an id."""
    # bool is an int in Python: without this, true would alias request id 1.
    return isinstance(value, str | int) and not isinstance(value, bool)


class Request(NamedTuple):
    """Asks for an answer."""

    id: Id
    method: str
    params: Mapping[str, object] = {}


class Notification(NamedTuple):
    """Tells something; never answered."""

    method: str
    params: Mapping[str, object] = {}


class Response(NamedTuple):
    """Answers a request."""

    id: Id
    result: object


class ErrorResponse(NamedTuple):
    """Refuses a request. The id is None if it could not be read."""

    id: Id | None
    code: int
    message: str
    data: object = None

    @classmethod
    def of(cls, request_id: Id | None, error: JsonRpcError) -> "ErrorResponse":
        """The refusal that an error stands for."""
        return cls(request_id, error.code, error.message, error.data)


class BadLine(NamedTuple):
    """A line, or an element of a batch, that is no message: an event to answer, not a reason to stop."""

    id: Id | None
    error: JsonRpcError


class Batch(NamedTuple):
    """Several messages in one line, to be answered in one line; never empty."""

    messages: "tuple[Request | Notification | Reply | BadLine, ...]"


Reply = Response | ErrorResponse
Message = Request | Notification | Reply | Batch
