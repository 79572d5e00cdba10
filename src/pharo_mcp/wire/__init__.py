"""JSON-RPC messages, and the transports that carry them between client and server; independent of MCP."""
