"""Lets an AI assistant work inside a running Pharo image: a Model Context Protocol (MCP) server."""

__version__ = "0.1.0"
