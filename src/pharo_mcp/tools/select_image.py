"""Tool `select_image`: choose the image to work in."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image import ImageClient, LiveImage, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult, always

DESCRIPTION = """\
Choose the live Pharo image that all further calls of this session work in, by its name, URL or image file \
as list_images shows them.

Needed only where several images are live. Variables, object ids and evaluation ids belong to the image \
that they come from. It changes nothing in any image."""

ARGUMENTS = Schema(
    {
        "type": "object",
        "properties": {
            "name": {"type": "string", "description": "Name, URL or image file of the image, in full."}
        },
        "required": ["name"],
        "additionalProperties": False,
    }
)


def select_image_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool; it answers programs too if `structured`."""

    def select_image(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        chosen = image.choose(arguments["name"])
        trouble = f"\n{chosen.trouble}" if chosen.trouble else ""
        return ToolResult.from_text(f"From now on calls work in {chosen}.{trouble}", write(chosen))

    return Tool(
        name="select_image",
        title="Choose an image",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=select_image,
        annotations={"readOnlyHint": True, "openWorldHint": False},
        output_schema=Schema(schema_of(LiveImage)) if structured else None,
        is_quick=always,
    )
