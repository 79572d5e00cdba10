"""The way for a model to work inside a live Pharo image: an MCP server on stdio."""

__version__ = "0.1.0"
