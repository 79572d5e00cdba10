"""The MCP clients that pharo-mcp can be added to: their configuration files and the entries in them."""

from .changes import Refused, own_servers, with_server, without_server
from .client_file import JSON, ClientFile, UnusableFile
from .entry import Entry, own_entry
from .known_clients import BY_NAME, CLIENTS, Client

__all__ = [
    "BY_NAME",
    "CLIENTS",
    "JSON",
    "Client",
    "ClientFile",
    "Entry",
    "Refused",
    "UnusableFile",
    "own_entry",
    "own_servers",
    "with_server",
    "without_server",
]
