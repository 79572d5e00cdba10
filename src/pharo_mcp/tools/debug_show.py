"""Tool `debug_show`: show where a paused evaluation stands."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.debugging import PausedFrame
from pharo_mcp.image.replies.shapes import schema_of, write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.protocol.tools import Tool, ToolResult

from .declaration import READS, integer, schema_of_arguments, string
from .text.outcomes import outcome_schema, result_of
from .text.pausing import frame_lines

DESCRIPTION = """\
Show the stack of a paused evaluation or of a debugger window, or a frame with its source and variables."""

ARGUMENTS = schema_of_arguments(
    ("evaluation_id",),
    evaluation_id=string("Id of the paused evaluation or of the window."),
    frame=integer("Frame to show; omit for the stack.", minimum=1),
)


def debug_show_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def debug_show(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        evaluation_id = arguments["evaluation_id"]
        if "frame" not in arguments:
            return result_of(image, lambda: image.debugging.stack(evaluation_id))
        shown = image.debugging.frame(evaluation_id, arguments["frame"])
        return ToolResult.from_text("\n".join(frame_lines(shown)), write(shown))

    either = {"type": "object", "anyOf": [outcome_schema().definition, schema_of(PausedFrame)]}
    return Tool(
        name="debug_show",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=debug_show,
        annotations=READS,
        output_schema=Schema(either) if structured else None,
    )
