"""JSON-RPC 2.0 as values and bytes: no I/O, no MCP, no Pharo."""

from .codec import decode, encode, join
from .errors import (
    InternalError,
    InvalidParams,
    InvalidRequest,
    JsonRpcError,
    MethodNotFound,
    ParseError,
)
from .messages import (
    BadLine,
    Batch,
    ErrorResponse,
    Id,
    Message,
    Notification,
    Reply,
    Request,
    Response,
    is_id,
)
from .reader import MessageReader

__all__ = [
    "BadLine",
    "Batch",
    "ErrorResponse",
    "Id",
    "InternalError",
    "InvalidParams",
    "InvalidRequest",
    "JsonRpcError",
    "Message",
    "MessageReader",
    "MethodNotFound",
    "Notification",
    "ParseError",
    "Reply",
    "Request",
    "Response",
    "decode",
    "encode",
    "is_id",
    "join",
]
