"""Tool `reset_workspace`: remove the variables of a workspace."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image import ImageClient, Workspace, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .declaration import DESTROYS, schema_of_arguments, string

DESCRIPTION = "Remove the variables of a workspace; get_status lists them."

ARGUMENTS = schema_of_arguments(workspace=string("Name of the workspace.", default="default"))


def reset_workspace_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def reset_workspace(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        workspace = image.reset_workspace(**arguments)
        removed = ", ".join(workspace.variables) or "none"
        text = f"Workspace {workspace.workspace} is empty. Removed variables: {removed}."
        return ToolResult.from_text(text, write(workspace))

    return Tool(
        name="reset_workspace",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=reset_workspace,
        annotations=DESTROYS,
        output_schema=Schema(schema_of(Workspace)) if structured else None,
    )
