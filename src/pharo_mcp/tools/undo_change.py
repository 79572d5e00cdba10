"""Tool `undo_change`: take changes back."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image import ImageClient, Undone, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolError, ToolResult

from .arguments import CONFIRM, arguments, integer
from .hints import DESTROYS
from .next_steps import NEXT_STEPS

DESCRIPTION = """\
Take back a change, or all above a number. What others changed since is a conflict: nothing is undone."""


def undo_change_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def undo_change(given: Mapping[str, Any], call: Call) -> ToolResult:
        if len(given.keys() & {"change", "to"}) != 1:
            raise ToolError("Nothing was undone: give either change or to.", "badRequest")
        undone = image.changes.undo(**given)
        return ToolResult.from_text(_text(undone), write(undone))

    return Tool(
        name="undo_change",
        title="Undo a change",
        description=DESCRIPTION,
        input_schema=arguments(
            change=integer("This one."),
            to=integer("All above this; 0: all."),
            confirm=CONFIRM,
        ),
        handler=undo_change,
        annotations=DESTROYS,
        output_schema=Schema(schema_of(Undone)) if structured else None,
    )


def _text(undone: Undone) -> str:
    if not undone.undone:
        return "There was nothing to undo. list_changes shows what was changed, and what is undone already."
    return f"Undone: {', '.join(map(str, undone.undone))}. {NEXT_STEPS['undo_change']}"
