"""The messages of JSON-RPC 2.0."""

from collections.abc import Mapping
from typing import NamedTuple, TypeGuard

from .errors import JsonRpcError

Id = str | int
"""MCP allows strings and integers, but not JSON-RPC's null and fractional ids."""


def is_id(value: object) -> "TypeGuard[Id]":
    """Whether a JSON value can be an id."""
    # bool is an int in Python: without this check, true would be the same id as 1.
    return isinstance(value, str | int) and not isinstance(value, bool)


class Request(NamedTuple):
    """A message that expects a response."""

    id: Id
    method: str
    params: Mapping[str, object] = {}


class Notification(NamedTuple):
    """A message without a response."""

    method: str
    params: Mapping[str, object] = {}


class Response(NamedTuple):
    """The result of a request."""

    id: Id
    result: object


class ErrorResponse(NamedTuple):
    """The error of a request. The id is None if it could not be read."""

    id: Id | None
    code: int
    message: str
    data: object = None

    @classmethod
    def of(cls, request_id: Id | None, error: JsonRpcError) -> "ErrorResponse":
        """The response for an error."""
        return cls(request_id, error.code, error.message, error.data)


class BadLine(NamedTuple):
    """A line, or an element of a batch, that is not a valid message; it is answered with its error."""

    id: Id | None
    error: JsonRpcError


class Batch(NamedTuple):
    """Several messages in one line, which are answered in one line; never empty."""

    messages: "tuple[Request | Notification | AnyResponse | BadLine, ...]"


AnyResponse = Response | ErrorResponse
Message = Request | Notification | AnyResponse | Batch
