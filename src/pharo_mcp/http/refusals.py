"""What an HTTP request can be refused with, beside what the conversation itself refuses.

Refusal                 any of these, with its status
├── Forbidden       403  it comes by a name, or from a page, that is not of this computer
├── Unauthorized    401  -32001  it shows no token, or not ours
├── NotAllowed      405  no such method
├── NoSession       404  its session is over, or never was
├── TooManySessions 503  all sessions are in use
└── HeaderMismatch  400  -32020  its headers say other than its body

The body of each is an error reply of JSON-RPC, since that is what clients show.
"""

from collections.abc import Mapping

from pharo_mcp.jsonrpc import ErrorResponse, Id, InvalidRequest, JsonRpcError, encode


class Refusal(Exception):
    """An answer that no conversation gives."""

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
    """The request shows no token, or not ours."""

    code = -32001


class MismatchedHeaders(JsonRpcError):
    """The headers of a modern request say other than its body."""

    code = -32020


class Forbidden(Refusal):
    """It comes by a name, or from a page, that is not of this computer."""

    def __init__(self, details: str) -> None:
        super().__init__(403, InvalidRequest(details))


class Unauthorized(Refusal):
    """It shows no token, or not ours."""

    def __init__(self) -> None:
        error = InvalidToken(
            "Unauthorized: send `Authorization: Bearer TOKEN`. pharo-mcp told the token on standard error "
            "when it started, or took it from PHARO_MCP_HTTP_TOKEN."
        )
        super().__init__(401, error, headers={"WWW-Authenticate": "Bearer"})


class NotAllowed(Refusal):
    """There is no such method, or not for such a request."""

    def __init__(self, method: str, allowed: str) -> None:
        super().__init__(
            405, InvalidRequest(f"{method} is not offered here; {allowed} is"), headers={"Allow": allowed}
        )


class NoSession(Refusal):
    """Its session is over, or never was."""

    def __init__(self) -> None:
        error = InvalidRequest("this session is over, or never was: begin a new one with initialize")
        super().__init__(404, error)


class TooManySessions(Refusal):
    """All sessions are in use."""

    def __init__(self, limit: int) -> None:
        error = InvalidRequest(f"all {limit} sessions are in use: end one with DELETE, or wait")
        super().__init__(503, error, headers={"Retry-After": "60"})


class HeaderMismatch(Refusal):
    """Its headers say other than its body."""

    def __init__(self, details: str, request_id: Id) -> None:
        super().__init__(400, MismatchedHeaders(f"Header mismatch: {details}"), request_id)
