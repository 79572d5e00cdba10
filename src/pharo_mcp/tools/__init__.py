"""The tools, one module each: schema, description, and the one request that each makes."""

from collections.abc import Mapping
from importlib import import_module
from typing import Protocol

from pharo_mcp.image import ImageClient
from pharo_mcp.protocol import Tool
from pharo_mcp.tool_table import TOOLS

from .registered import registered_tool
from .text.long_work import long_work

__all__ = ["MAKERS", "ToolMaker", "long_work", "registered_tool"]


class ToolMaker(Protocol):
    """Makes a tool for one image, with an output schema if `structured`."""

    def __call__(self, image: ImageClient, *, structured: bool) -> Tool:
        """The tool."""


def _maker(name: str) -> ToolMaker:
    maker: ToolMaker = getattr(import_module(f"{__name__}.{name}"), f"{name}_tool")
    return maker


MAKERS: Mapping[str, ToolMaker] = {row.name: _maker(row.name) for row in TOOLS}
"""What makes each tool, by the tool's name, in the order of the table."""
