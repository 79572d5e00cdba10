"""JSON-RPC 2.0: messages, errors, and their encoding as lines of strict JSON; no I/O, no MCP.

Bytes go into a `MessageReader` and messages come out of it, as in h11. A line that is not a valid message
becomes a `BadLine`, which is answered. `encode` makes a line of a message.

    JsonRpcError
    ├── ParseError       -32700  the line is not strict UTF-8 JSON
    ├── InvalidRequest   -32600  it is JSON, but not a valid request at this point
    ├── MethodNotFound   -32601  no method has that name
    ├── InvalidParams    -32602  the params do not fit the method
    └── InternalError    -32603  answering a valid request failed

Source: https://www.jsonrpc.org/specification, section 5.1 for the errors.
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, TypeGuard

from pharo_mcp import strict_json


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


Id = str | int
"""MCP allows strings and integers, but not JSON-RPC's null and fractional ids."""


def is_id(value: object) -> "TypeGuard[Id]":
    """Return whether a JSON value can be an id."""
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
        """Return the response for an error."""
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

BYTE_ORDER_MARK = b"\xef\xbb\xbf"
"""U+FEFF in UTF-8, which may be ignored before a text. Source: section 8.1 of RFC 8259."""
BATCH_LIMIT = 1000
"""Messages in a batch: even an invalid one such as `1,` takes far more memory than its bytes."""


def decode(line: bytes) -> Message | BadLine:
    """Decode one line."""
    try:
        value = strict_json.read(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        return BadLine(None, ParseError(f"byte {error.start} is not UTF-8"))
    except RecursionError:
        return BadLine(None, ParseError("nested too deeply"))
    except ValueError as error:
        return BadLine(None, ParseError(str(error)))
    match value:
        case []:
            return BadLine(None, InvalidRequest("a batch must not be empty"))
        case list() if len(value) > BATCH_LIMIT:
            return BadLine(None, InvalidRequest(f"a batch must not have more than {BATCH_LIMIT} messages"))
        case list():
            return Batch(tuple(map(_message, value)))
    return _message(value)


def encode(message: Request | Notification | AnyResponse) -> bytes:
    """Encode a message as one line, including the newline.

    Raises:
        ValueError, TypeError, RecursionError: If a result cannot be represented in JSON.
    """
    return strict_json.write(_value(message)).encode("ascii") + b"\n"


def join(lines: Iterable[bytes]) -> bytes:
    """Join encoded messages to a batch, in one line."""
    return b"[" + b",".join(line.rstrip(b"\n") for line in lines) + b"]\n"


def _message(value: object) -> Request | Notification | AnyResponse | BadLine:
    """Return the message that a JSON value represents."""
    request_id = None
    try:
        if not isinstance(value, dict):
            raise InvalidRequest("a message must be an object")
        if "id" in value and value["id"] is not None:
            request_id = _id(value["id"])
        if value.get("jsonrpc") != "2.0":
            raise InvalidRequest('jsonrpc must be "2.0"')
        if "method" not in value:
            return _reply(request_id, value)
        return _call(request_id, value)
    except JsonRpcError as error:
        return BadLine(request_id, error)


def _id(value: object) -> Id:
    if is_id(value):
        return value
    raise InvalidRequest("id must be a string or an integer")


def _call(request_id: Id | None, value: Mapping[str, object]) -> Request | Notification:
    method, params = value["method"], value.get("params")
    if not isinstance(method, str):
        raise InvalidRequest("method must be a string")
    if "id" not in value:
        # A notification is never answered, not even with an error about its params.
        return Notification(method, params if isinstance(params, dict) else {})
    if request_id is None:
        raise InvalidRequest("id must be a string or an integer, not null")
    match params:
        case None:  # some clients write null for omitted params
            return Request(request_id, method)
        case dict():
            return Request(request_id, method, params)
        case list():
            # Valid in JSON-RPC, so not -32600; but all MCP methods take their params by name.
            raise InvalidParams("params must be an object, not an array")
    raise InvalidRequest("params must be an object")


def _reply(request_id: Id | None, value: Mapping[str, object]) -> AnyResponse:
    match value:
        case {"result": result} if request_id is not None:
            return Response(request_id, result)
        case {"error": {"code": int(code), "message": str(message), **rest}}:
            return ErrorResponse(request_id, code, message, rest.get("data"))
    raise InvalidRequest("method is missing")


def _value(message: Request | Notification | AnyResponse) -> object:
    """Return the JSON value that represents a message."""
    match message:
        case Request(request_id, method, params):
            return {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
        case Notification(method, params):
            return {"jsonrpc": "2.0", "method": method, "params": params}
        case Response(request_id, result):
            return {"jsonrpc": "2.0", "id": request_id, "result": result}
        case ErrorResponse(request_id, code, text, data):
            error = {"code": code, "message": text} | ({} if data is None else {"data": data})
            return {"jsonrpc": "2.0", "id": request_id, "error": error}


LINE_LIMIT = 64 * 1024 * 1024
"""Bytes in one line: enough for any message, and small enough that a peer cannot exhaust the memory."""


class MessageReader:
    """Collects bytes and decodes each complete line.

    Only a newline ends a line: JSON may contain U+2028, and a carriage return is whitespace.
    A byte order mark before the first message is ignored.
    A line over the limit is reported once, as soon as it is too long, and skipped.
    """

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._limit = limit
        # Joined when the line is complete: appending to one bytes object would take quadratic time.
        self._pieces: list[bytes] = []
        self._length = 0
        self._has_begun = False

    def feed(self, received: bytes) -> list[Message | BadLine]:
        """Add bytes and return the messages that they complete, in order."""
        *endings, rest = received.split(b"\n")
        messages: list[Message | BadLine] = []
        for ending in endings:
            messages += self._collect(ending)
            messages += self.close()
        messages += self._collect(rest)
        return messages

    def close(self) -> list[Message | BadLine]:
        """End the current line, with or without a newline, and decode it; a blank line has no message."""
        line = b"".join(self._pieces)
        self._pieces, self._length = [], 0
        if not self._has_begun:
            line = line.removeprefix(BYTE_ORDER_MARK)
        if not line.strip(b" \t\r"):
            return []
        self._has_begun = True
        return [decode(line)]

    def _collect(self, piece: bytes) -> list[Message | BadLine]:
        was_too_long = self._length > self._limit
        self._length += len(piece)
        if self._length <= self._limit:
            self._pieces.append(piece)
            return []
        self._pieces.clear()
        if was_too_long:
            return []
        return [BadLine(None, ParseError(f"a line is longer than {self._limit} bytes"))]
