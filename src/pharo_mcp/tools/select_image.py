"""Tool `select_image`: choose the image that calls go to."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.connection.images import LiveImage
from pharo_mcp.image.replies.shapes import schema_of, write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.protocol.tools import Tool, ToolResult

from .declaration import READS, schema_of_arguments, string

DESCRIPTION = "Choose which of several live images all later calls go to."

ARGUMENTS = schema_of_arguments(("name",), name=string("Name, URL or image file."))


def select_image_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def select_image(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        chosen = image.choose(arguments["name"])
        trouble = f"\n{chosen.trouble}" if chosen.trouble else ""
        return ToolResult.from_text(f"Calls now go to {chosen}.{trouble}", write(chosen))

    return Tool(
        name="select_image",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=select_image,
        annotations=READS,
        output_schema=Schema(schema_of(LiveImage)) if structured else None,
    )
