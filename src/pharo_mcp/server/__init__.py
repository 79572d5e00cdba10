"""Answers a client: connections, the two eras of the protocol, and the methods of MCP."""
