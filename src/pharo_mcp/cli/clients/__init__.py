"""The MCP clients that pharo-mcp can be added to: their configuration files and the entries in them."""
