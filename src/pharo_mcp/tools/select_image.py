"""Tool `select_image`: choose the image to work in."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image import ImageClient, LiveImage, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult, always

from .arguments import arguments, text
from .hints import READS

DESCRIPTION = "Choose one of several live images for all further calls."

ARGUMENTS = arguments(("name",), name=text("Name, URL or image file."))


def select_image_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool; it answers programs too if `structured`."""

    def select_image(given: Mapping[str, Any], call: Call) -> ToolResult:
        chosen = image.choose(given["name"])
        trouble = f"\n{chosen.trouble}" if chosen.trouble else ""
        return ToolResult.from_text(f"From now on calls work in {chosen}.{trouble}", write(chosen))

    return Tool(
        name="select_image",
        title="Choose an image",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=select_image,
        annotations=READS,
        output_schema=Schema(schema_of(LiveImage)) if structured else None,
        is_quick=always,
    )
