"""Tool `save_image`: save the image to its file."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.changes import Saving
from pharo_mcp.image.replies.shapes import schema_of, write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.protocol.tools import Tool, ToolResult

from .declaration import DESTROYS, flag, schema_of_arguments

DESCRIPTION = """\
Save the live image with all that the user has open; only when the user asks."""

BEING_SAVED = "The image is being saved; connections close meanwhile. get_status shows when it is back."
SAVED = "The image is saved. Breakpoints and the stacks of errors are gone; connections were opened again."


def save_image_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def save_image(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        saving = image.changes.save(**arguments)
        last = None if saving.number is None else image.result_of_save(saving.number)
        if last and not last.saved:
            return ToolResult.from_error(last.reason or "The image could not be saved.")
        return ToolResult.from_text(SAVED if last else BEING_SAVED, write(saving))

    return Tool(
        name="save_image",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(confirm=flag("Must be true to save.", default=False)),
        handler=save_image,
        annotations=DESTROYS,
        output_schema=Schema(schema_of(Saving)) if structured else None,
    )
