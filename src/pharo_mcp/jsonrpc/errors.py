"""What a request can be refused with.

    JsonRpcError
    ├── ParseError       -32700  the line is not strict UTF-8 JSON
    ├── InvalidRequest   -32600  it is JSON, but not a request that can be taken now
    ├── MethodNotFound   -32601  no method has that name
    ├── InvalidParams    -32602  the method cannot work with those params
    └── InternalError    -32603  answering failed

Source: section 5.1 of https://www.jsonrpc.org/specification.
"""

from collections.abc import Mapping
from typing import ClassVar


class JsonRpcError(Exception):
    """An error reply to be. Never raised itself.

    `message` is one line for whoever sees only that; `data` is for whoever looks closer.
    """

    code: ClassVar[int]

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
    """It is JSON, but not a request that can be taken now."""

    code = -32600

    def __init__(self, details: str) -> None:
        super().__init__("Invalid Request", {"details": details})


class MethodNotFound(JsonRpcError):
    """No method has that name."""

    code = -32601

    def __init__(self, method: str, data: Mapping[str, object] | None = None) -> None:
        super().__init__(f"Method not found: {method}", data)


class InvalidParams(JsonRpcError):
    """The method cannot work with those params.

    The message repeats the details: most clients show their user, or the model, nothing else.
    """

    code = -32602

    def __init__(self, details: str, **data: object) -> None:
        super().__init__(f"Invalid params: {details}", {"details": details, **data})


class InternalError(JsonRpcError):
    """Answering failed, though the request was right."""

    code = -32603
