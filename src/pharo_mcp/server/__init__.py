"""Answers a client: the conversation, its eras, and the methods of MCP over what is offered."""

from .connection import Connection
from .identity import Identity

__all__ = ["Connection", "Identity"]
