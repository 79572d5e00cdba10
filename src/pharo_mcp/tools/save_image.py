"""Tool `save_image`: save the image as it is."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image import ImageClient, Saving, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .arguments import arguments, flag
from .hints import DESTROYS

DESCRIPTION = """\
Save the live image over its file, with all that its user has open. Only when the user asks for it. Running \
evaluations, object ids, variables and the changes that undo_change knows are lost with it."""


def save_image_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def save_image(given: Mapping[str, Any], call: Call) -> ToolResult:
        saving = image.changes.save(**given)
        text = (
            "The image saves itself now; connections close for that moment. get_status tells when it is back."
        )
        return ToolResult.from_text(text, write(saving))

    return Tool(
        name="save_image",
        title="Save the image",
        description=DESCRIPTION,
        input_schema=arguments(confirm=flag("True to save indeed.", default=False)),
        handler=save_image,
        annotations=DESTROYS,
        output_schema=Schema(schema_of(Saving)) if structured else None,
    )
