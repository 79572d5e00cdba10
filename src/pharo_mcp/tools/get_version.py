"""Tool `get_version`: what answers, on both sides."""

from collections.abc import Mapping
from typing import NamedTuple

from pharo_mcp import __version__
from pharo_mcp.image import ImageClient, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

DESCRIPTION = """\
Tell which Pharo image answers and the versions of both halves of pharo-mcp: the image's system version, \
its file, its virtual machine, the companion package in it, and this front end.

Use it to see that the image answers, and to know which Pharo to write code for. It changes nothing."""


class Versions(NamedTuple):
    """What the tool answers to programs."""

    system: str
    image: str
    vm: str
    companion: str
    front_end: str


def get_version_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def get_version(arguments: Mapping[str, object], call: Call) -> ToolResult:
        there = image.version()
        versions = Versions(there.system, there.image, there.vm, there.companion, __version__)
        return ToolResult.from_text(_text(versions), write(versions))

    return Tool(
        name="get_version",
        title="Read the versions",
        description=DESCRIPTION,
        input_schema=Schema({"type": "object", "properties": {}, "additionalProperties": False}),
        handler=get_version,
        annotations={"readOnlyHint": True, "openWorldHint": False},
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
