"""The MCP clients that pharo-mcp can be added to: their configuration files and the entries in them."""

from .client_file import ClientFile, UnusableFile
from .entry import Entry, own_entry
from .known_clients import BY_NAME, CLIENTS, Client

__all__ = ["BY_NAME", "CLIENTS", "Client", "ClientFile", "Entry", "UnusableFile", "own_entry"]
