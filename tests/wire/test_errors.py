import pytest

from pharo_mcp.http.requests import InvalidToken, MismatchedHeaders
from pharo_mcp.server.lifecycle import MissingClientCapability, ResourceMissing, UnsupportedProtocolVersion
from pharo_mcp.wire.jsonrpc import (
    ErrorResponse,
    InternalError,
    InvalidParams,
    InvalidRequest,
    JsonRpcError,
    MethodNotFound,
    ParseError,
)

ERRORS: list[tuple[JsonRpcError, int, str, object]] = [
    (ParseError("why"), -32700, "Parse error", {"details": "why"}),
    (InvalidRequest("why"), -32600, "Invalid Request", {"details": "why"}),
    (MethodNotFound("unknown/method"), -32601, "Method not found: unknown/method", None),
    (InvalidParams("why", uri="u"), -32602, "Invalid params: why", {"details": "why", "uri": "u"}),
    (InternalError("it broke", {"kind": "k"}), -32603, "it broke", {"kind": "k"}),
    (ResourceMissing("why", "u"), -32002, "Resource not found: why", {"details": "why", "uri": "u"}),
    (
        UnsupportedProtocolVersion("1900-01-01"),
        -32022,
        "Unsupported protocol version: 1900-01-01",
        {"supported": ["2026-07-28"], "requested": "1900-01-01"},
    ),
    (
        MissingClientCapability({"elicitation": {}}),
        -32021,
        "Missing required client capability",
        {"requiredCapabilities": {"elicitation": {}}},
    ),
    (InvalidToken("why"), -32001, "why", None),
    (MismatchedHeaders("why"), -32020, "why", None),
]


@pytest.mark.parametrize(("error", "code", "message", "data"), ERRORS, ids=lambda value: type(value).__name__)
def test_every_error_has_its_code_message_and_data(
    error: JsonRpcError, code: int, message: str, data: object
) -> None:
    assert ErrorResponse.of(1, error) == ErrorResponse(1, code, message, data)


def test_the_table_lists_every_error_class() -> None:
    assert {type(error) for error, *_ in ERRORS} == set(JsonRpcError.__subclasses__())
