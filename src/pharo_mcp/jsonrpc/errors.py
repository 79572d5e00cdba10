"""The error responses of JSON-RPC.

    JsonRpcError
    ├── ParseError       -32700  the line is not strict UTF-8 JSON
    ├── InvalidRequest   -32600  it is JSON, but not a valid request at this point
    ├── MethodNotFound   -32601  no method has that name
    ├── InvalidParams    -32602  the params do not fit the method
    └── InternalError    -32603  answering a valid request failed

Source: section 5.1 of https://www.jsonrpc.org/specification.
"""

from collections.abc import Mapping


class JsonRpcError(Exception):
    """Base class of the errors; each becomes an error response.

    `message` is one line that stands alone, since some clients show nothing else; `data` has the details.
    """

    code: int

    def __init__(self, message: str, data: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.data = data


class ParseError(JsonRpcError):
    """The line is not strict UTF-8 JSON."""

    code = -32700

    def __init__(self, details: str) -> None:
        super().__init__("Parse error", {"details": details})


class InvalidRequest(JsonRpcError):
    """It is JSON, but not a valid request at this point."""

    code = -32600

    def __init__(self, details: str) -> None:
        super().__init__("Invalid Request", {"details": details})


class MethodNotFound(JsonRpcError):
    """No method has that name."""

    code = -32601

    def __init__(self, method: str, data: Mapping[str, object] | None = None) -> None:
        super().__init__(f"Method not found: {method}", data)


class InvalidParams(JsonRpcError):
    """The params do not fit the method.

    The message repeats the details, since most clients show nothing else.
    """

    code = -32602

    def __init__(self, details: str, **data: object) -> None:
        super().__init__(f"Invalid params: {details}", {"details": details, **data})


class InternalError(JsonRpcError):
    """Answering a valid request failed."""

    code = -32603
