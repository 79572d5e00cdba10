"""What JSON-RPC asks of every message, whatever it is about."""

from typing import Any

from .rules import Members


class Wrong(Exception):
    """The server said what it must not, or did not say what it must."""


def checked(answer: Any, line: bytes) -> Members:
    """A response, if it is one of JSON-RPC.

    Raises:
        Wrong: If it is not.
    """
    if not is_answer(answer):
        raise Wrong("said what is no response", line)
    members: Members = answer
    return members


def is_answer(answer: object) -> bool:
    """Whether a value is a response, with nothing beside what belongs there."""
    match answer:
        case {"id": bool()}:
            return False
        case {"jsonrpc": "2.0", "id": str() | int() | None, "result": dict(), **rest}:
            return not rest
        case {"jsonrpc": "2.0", "id": str() | int() | None, "error": dict(error), **rest}:
            return not rest and is_error(error)
    return False


def is_error(error: Members) -> bool:
    """Whether a value is an error, with nothing beside what belongs there."""
    is_whole = type(error.get("code")) is int and isinstance(error.get("message"), str)
    return is_whole and not error.keys() - {"code", "message", "data"}


def is_id_or_null(value: object) -> bool:
    """Whether an id is one that MCP allows, or null."""
    return isinstance(value, str | int | None) and not isinstance(value, bool)


def no_constant(name: str) -> None:
    """Refuse what is no JSON, though Python's parser reads it."""
    raise ValueError(name)


def is_response(message: Members) -> bool:
    """Whether a message without a method is a response, which is never answered."""
    match message:
        case {"id": str() | int(), "result": _, **rest}:
            return "error" not in rest
        case {"error": {"code": int(code), "message": str()}, **rest}:
            return "result" not in rest and not isinstance(code, bool)
    return False
