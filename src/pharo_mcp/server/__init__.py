"""Answers a client: the connection, the two kinds of revisions, and the methods of MCP."""
