"""Tools that an image registers; a call of one is an evaluation in the image."""

from collections.abc import Mapping
from functools import partial

from pharo_mcp.image import ImageClient, RegisteredTool
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .text.outcomes import following, result_of

ON_ERROR = "on_error"
"""An argument that every registered tool takes, unless it declares one of this name itself."""


def registered_tool(image: ImageClient, offered: RegisteredTool) -> Tool:
    """Make the tool that an image registers.

    Raises:
        ValueError: If the schema of its arguments is not valid, or not that of an object.
    """
    if offered.input_schema.get("type") != "object":
        raise ValueError("its input schema does not describe an object")
    schema = Schema(offered.input_schema)
    schema.compile()

    declared = offered.input_schema.get("properties")
    takes_on_error = isinstance(declared, Mapping) and ON_ERROR in declared

    def call_it(arguments: Mapping[str, object], call: Call) -> ToolResult:
        own = dict(arguments)
        on_error = None if takes_on_error or ON_ERROR not in own else str(own.pop(ON_ERROR))
        request = partial(image.registrations.call, "tool", own, name=offered.name, on_error=on_error)
        return result_of(image, partial(request, **following(image, call)))

    return Tool(
        name=offered.name,
        title=offered.title or offered.name,
        description=offered.description,
        input_schema=schema,
        handler=call_it,
        annotations={"readOnlyHint": offered.read_only},
    )
