"""Decode a line of strict JSON to a message, and encode messages."""

from collections.abc import Iterable, Mapping

from pharo_mcp import strict_json

from .errors import InvalidParams, InvalidRequest, JsonRpcError, ParseError
from .messages import (
    AnyResponse,
    BadLine,
    Batch,
    ErrorResponse,
    Id,
    Message,
    Notification,
    Request,
    Response,
    is_id,
)

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
    """The message that a JSON value represents."""
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
    """The JSON value that represents a message."""
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
