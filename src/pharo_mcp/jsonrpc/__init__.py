"""JSON-RPC 2.0 messages and their encoding; independent of I/O, MCP and Pharo."""

from .codec import BYTE_ORDER_MARK, decode, encode, join
from .errors import (
    InternalError,
    InvalidParams,
    InvalidRequest,
    JsonRpcError,
    MethodNotFound,
    ParseError,
)
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
from .reader import MessageReader

__all__ = [
    "BYTE_ORDER_MARK",
    "AnyResponse",
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
    "Request",
    "Response",
    "decode",
    "encode",
    "is_id",
    "join",
]
