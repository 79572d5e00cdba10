"""Answers a client: connections, the two eras of the protocol, and the methods of MCP."""

from .connection import Connection, warm
from .event_bus import EventBus
from .identity import Identity
from .lifecycle import CLIENT_CAPABILITIES, VERSION

__all__ = ["CLIENT_CAPABILITIES", "VERSION", "Connection", "EventBus", "Identity", "warm"]
