"""The HTTP error responses, in addition to the errors that a connection returns.

HttpError                any of these, with its status
├── Forbidden        403  Host or Origin is not this computer
├── Unauthorized     401  -32001  the token is missing or wrong
├── MethodNotAllowed 405  the method is not supported for this path or revision
├── SessionNotFound  404  the session has ended or never existed
├── TooManySessions  503  all sessions are in use
└── HeaderMismatch   400  -32020  the headers do not match the body

The body of each is a JSON-RPC error response, since clients display that.
"""

from collections.abc import Mapping

from pharo_mcp.wire.jsonrpc import ErrorResponse, Id, InvalidRequest, JsonRpcError, encode


class HttpError(Exception):
    """An error response that is sent without passing the request to a connection."""

    def __init__(
        self,
        status: int,
        error: JsonRpcError,
        request_id: Id | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(error.message)
        self.status = status
        self.line = encode(ErrorResponse.of(request_id, error))
        self.headers = headers or {}


class InvalidToken(JsonRpcError):
    """The token is missing or wrong."""

    code = -32001


class MismatchedHeaders(JsonRpcError):
    """The headers of a modern request do not match its body."""

    code = -32020


class Forbidden(HttpError):
    """Host or Origin is not this computer."""

    def __init__(self, details: str) -> None:
        super().__init__(403, InvalidRequest(details))


class Unauthorized(HttpError):
    """The token is missing or wrong."""

    def __init__(self) -> None:
        error = InvalidToken(
            "Unauthorized: send `Authorization: Bearer TOKEN`. pharo-mcp prints the token on standard error "
            "when it starts, unless PHARO_MCP_HTTP_TOKEN sets it."
        )
        super().__init__(401, error, headers={"WWW-Authenticate": "Bearer"})


class MethodNotAllowed(HttpError):
    """The method is not supported for this path or revision."""

    def __init__(self, method: str, allowed: str) -> None:
        super().__init__(
            405, InvalidRequest(f"{method} is not allowed: use {allowed}"), headers={"Allow": allowed}
        )


class SessionNotFound(HttpError):
    """The session has ended or never existed."""

    def __init__(self) -> None:
        error = InvalidRequest("the session has ended or never existed: start a new one with initialize")
        super().__init__(404, error)


class TooManySessions(HttpError):
    """All sessions are in use."""

    def __init__(self, limit: int) -> None:
        error = InvalidRequest(f"all {limit} sessions are in use: end one with DELETE, or try again later")
        super().__init__(503, error, headers={"Retry-After": "60"})


class HeaderMismatch(HttpError):
    """The headers of a modern request do not match its body."""

    def __init__(self, details: str, request_id: Id) -> None:
        super().__init__(400, MismatchedHeaders(f"Header mismatch: {details}"), request_id)
