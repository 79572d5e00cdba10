"""What JSON-RPC requires of every message."""

from typing import Any

from .rules import Members


class ProtocolViolation(Exception):
    """The server sent something invalid, or did not send something required."""


def checked(answer: Any, line: bytes) -> Members:
    """Return a response of JSON-RPC.

    Raises:
        ProtocolViolation: If it is not.
    """
    if not is_answer(answer):
        raise ProtocolViolation("received an invalid response", line)
    members: Members = answer
    return members


def is_answer(answer: object) -> bool:
    """Whether a value is a response without other members."""
    match answer:
        case {"id": bool()}:
            return False
        case {"jsonrpc": "2.0", "id": str() | int() | None, "result": dict(), **rest}:
            return not rest
        case {"jsonrpc": "2.0", "id": str() | int() | None, "error": dict(error), **rest}:
            return not rest and is_error(error)
    return False


def is_error(error: Members) -> bool:
    """Whether a value is an error without other members."""
    is_whole = type(error.get("code")) is int and isinstance(error.get("message"), str)
    return is_whole and not error.keys() - {"code", "message", "data"}


def is_id_or_null(value: object) -> bool:
    """Whether a value is an id that MCP allows, or null."""
    return isinstance(value, str | int | None) and not isinstance(value, bool)


def no_constant(name: str) -> None:
    """Refuse constants that Python's parser reads, although they are not JSON."""
    raise ValueError(name)


def is_response(message: Members) -> bool:
    """Whether a message without a method is a response, which is never answered."""
    match message:
        case {"id": str() | int(), "result": _, **rest}:
            return "error" not in rest
        case {"error": {"code": int(code), "message": str()}, **rest}:
            return "result" not in rest and not isinstance(code, bool)
    return False
