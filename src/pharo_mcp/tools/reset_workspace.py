"""Tool `reset_workspace`: forget the variables of a workspace."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image import ImageClient, Workspace, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .arguments import arguments, text
from .hints import DESTROYS

DESCRIPTION = """\
Forget the variables that evaluations left in a workspace of the live image, to start anew or to let go of \
large objects."""

ARGUMENTS = arguments(workspace=text("As given to evaluate.", default="default"))


def reset_workspace_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def reset_workspace(given: Mapping[str, Any], call: Call) -> ToolResult:
        workspace = image.reset_workspace(**given)
        names = ", ".join(workspace.variables) or "it had no variables"
        text = f"Workspace {workspace.workspace} is empty now. Forgotten: {names}."
        return ToolResult.from_text(text, write(workspace))

    return Tool(
        name="reset_workspace",
        title="Reset a workspace",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=reset_workspace,
        annotations=DESTROYS,
        output_schema=Schema(schema_of(Workspace)) if structured else None,
    )
