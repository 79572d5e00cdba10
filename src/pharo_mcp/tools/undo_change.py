"""Tool `undo_change`: undo changes."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.tools import Tool, ToolError, ToolResult

from .declaration import CONFIRM, DESTROYS, integer, schema_of_arguments
from .text.outcomes import following, outcome_schema, result_of

DESCRIPTION = "Undo a change or an undo, or all changes after a number. With a conflict, nothing is undone."


def undo_change_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def undo_change(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        if len(arguments.keys() & {"change", "to"}) != 1:
            raise ToolError("undo_change needs either change or to. Nothing was undone.", "badRequest")
        return result_of(image, partial(image.changes.undo, **arguments, **following(image, call)))

    return Tool(
        name="undo_change",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(
            change=integer("Number of the change to undo."),
            to=integer("Undo every change after this number; 0 for all."),
            confirm=CONFIRM,
        ),
        handler=undo_change,
        annotations=DESTROYS,
        output_schema=outcome_schema() if structured else None,
    )
