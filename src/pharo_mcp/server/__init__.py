"""Answers a client: the conversation, its eras, and the methods of MCP over what is offered."""

from .connection import Connection
from .feed import Feed
from .identity import Identity
from .lifecycle import CLIENT_CAPABILITIES, VERSION

__all__ = ["CLIENT_CAPABILITIES", "VERSION", "Connection", "Feed", "Identity"]
