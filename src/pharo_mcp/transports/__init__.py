"""Carry whole messages between a client and a server; know JSON-RPC, and nothing of MCP."""

from .memory import MemoryPipe, MemoryTransport, memory_pair
from .pipes import PipeTransport
from .stdio import NoClient, claim_stdio
from .transport import ClientGone, EndOfInput, Event, Transport

__all__ = [
    "ClientGone",
    "EndOfInput",
    "Event",
    "MemoryPipe",
    "MemoryTransport",
    "NoClient",
    "PipeTransport",
    "Transport",
    "claim_stdio",
    "memory_pair",
]
