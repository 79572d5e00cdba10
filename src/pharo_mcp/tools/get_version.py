"""Tool `get_version`: what answers, on both sides."""

from collections.abc import Mapping
from typing import NamedTuple

from pharo_mcp import __version__
from pharo_mcp.image import ImageClient, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .arguments import arguments
from .hints import READS

DESCRIPTION = "Tell which Pharo answers, to know which to write code for, and the versions of both halves."


class Versions(NamedTuple):
    """What the tool answers to programs."""

    system: str
    image: str
    vm: str
    companion: str
    front_end: str


def get_version_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def get_version(given: Mapping[str, object], call: Call) -> ToolResult:
        there = image.version()
        versions = Versions(there.system, there.image, there.vm, there.companion, __version__)
        return ToolResult.from_text(_text(versions), write(versions))

    return Tool(
        name="get_version",
        title="Read the versions",
        description=DESCRIPTION,
        input_schema=arguments(),
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
    if versions.system.endswith("(stand-in)"):
        lines.append(
            "This is the practice image: a small Smalltalk with a part of Pharo's classes, not Pharo."
        )
    return "\n".join(lines)
