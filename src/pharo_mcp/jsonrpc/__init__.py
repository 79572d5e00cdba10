"""JSON-RPC 2.0 messages and their encoding; independent of I/O, MCP and Pharo."""
