"""The tools, one module each: schema, description, and the one request that each makes."""

from collections.abc import Mapping
from importlib import import_module
from typing import Protocol

from pharo_mcp.image.client import ImageClient
from pharo_mcp.protocol.tools import Tool
from pharo_mcp.tool_table import TOOLS


class ToolMaker(Protocol):
    """Makes a tool for one image, with an output schema if `structured`."""

    def __call__(self, image: ImageClient, *, structured: bool) -> Tool:
        """The tool."""


def _maker(name: str) -> ToolMaker:
    maker: ToolMaker = getattr(import_module(f".{name}", __package__), f"{name}_tool")
    return maker


MAKERS: Mapping[str, ToolMaker] = {row.name: _maker(row.name) for row in TOOLS}
"""What makes each tool, by the tool's name, in the order of the table."""
