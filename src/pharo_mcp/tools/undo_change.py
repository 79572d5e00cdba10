"""Tool `undo_change`: undo changes."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image import ImageClient, Undone, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolError, ToolResult

from .declaration import CONFIRM, DESTROYS, integer, schema_of_arguments
from .text.wording import NEXT_STEPS

DESCRIPTION = """\
Undo a change, or all changes after a number. If the code was changed by other means since, nothing is \
undone."""


def undo_change_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def undo_change(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        if len(arguments.keys() & {"change", "to"}) != 1:
            raise ToolError("undo_change needs either change or to. Nothing was undone.", "badRequest")
        undone = image.changes.undo(**arguments)
        return ToolResult.from_text(_text(undone), write(undone))

    return Tool(
        name="undo_change",
        title="Undo a change",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(
            change=integer("Number of the change to undo."),
            to=integer("Undo every change after this number; 0 for all."),
            confirm=CONFIRM,
        ),
        handler=undo_change,
        annotations=DESTROYS,
        output_schema=Schema(schema_of(Undone)) if structured else None,
    )


def _text(undone: Undone) -> str:
    if not undone.undone:
        return "There was nothing to undo. list_changes shows the changes, and which are already undone."
    return f"Undone: {', '.join(map(str, undone.undone))}. {NEXT_STEPS['undo_change']}"
