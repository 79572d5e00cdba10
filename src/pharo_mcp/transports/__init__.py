"""Transports: carry whole JSON-RPC messages between a client and a server; independent of MCP."""

from .pipes import PipeTransport
from .stdio import NoClient, claim_stdio
from .transport import ClientGone, EndOfInput, Transport, TransportEvent, Work

__all__ = [
    "ClientGone",
    "EndOfInput",
    "NoClient",
    "PipeTransport",
    "Transport",
    "TransportEvent",
    "Work",
    "claim_stdio",
]
