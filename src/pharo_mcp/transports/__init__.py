"""Transports: carry whole JSON-RPC messages between a client and a server; independent of MCP."""
