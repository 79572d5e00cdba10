"""Tool `get_version`: show the versions on both sides."""

from collections.abc import Mapping
from typing import NamedTuple

from pharo_mcp import __version__
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.shapes import schema_of, write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.protocol.tools import Tool, ToolResult

from .declaration import READS, schema_of_arguments

DESCRIPTION = "Show the versions of Pharo and pharo-mcp."


class Versions(NamedTuple):
    """The structured result."""

    system: str
    image: str
    vm: str
    companion: str
    front_end: str


def get_version_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def get_version(arguments: Mapping[str, object], call: Call) -> ToolResult:
        version = image.version()
        versions = Versions(version.system, version.image, version.vm, version.companion, __version__)
        return ToolResult.from_text(_text(versions), write(versions))

    return Tool(
        name="get_version",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(),
        handler=get_version,
        annotations=READS,
        output_schema=Schema(schema_of(Versions)) if structured else None,
    )


def _text(versions: Versions) -> str:
    lines = [
        f"System: {versions.system}",
        f"Image: {versions.image}",
        f"Virtual machine: {versions.vm}",
        f"Companion in the image: {versions.companion}",
        f"Front end: pharo-mcp {versions.front_end}",
    ]
    if versions.system.endswith("(practice image)"):
        lines.append("This is the practice image, not Pharo: a small Smalltalk with some of Pharo's classes.")
    return "\n".join(lines)
