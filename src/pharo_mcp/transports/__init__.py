"""Transports: carry whole JSON-RPC messages between a client and a server; independent of MCP."""

from .pipes import PipeTransport
from .stdio import NoClient, claim_stdio
from .transport import ClientGone, EndOfInput, Transport, TransportEvent

__all__ = [
    "ClientGone",
    "EndOfInput",
    "NoClient",
    "PipeTransport",
    "Transport",
    "TransportEvent",
    "claim_stdio",
]
