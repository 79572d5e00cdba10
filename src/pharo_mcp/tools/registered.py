"""Tools that an image registers: called as an evaluation is, by what the image says of them."""

from collections.abc import Mapping

from pharo_mcp.image import ImageClient, OfferedTool
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .outcomes import result_of_new


def registered_tool(image: ImageClient, offered: OfferedTool) -> Tool:
    """The tool, for the image that registers it.

    Raises:
        ValueError: If the schema of its arguments is none that a client or we can use.
    """
    if offered.input_schema.get("type") != "object":
        raise ValueError("the schema of its arguments is not one of an object")
    schema = Schema(offered.input_schema)
    schema.compile()

    def call_it(given: Mapping[str, object], call: Call) -> ToolResult:
        return result_of_new(
            image,
            call,
            lambda evaluation, tell: image.offering.call(
                "tool", given, name=offered.name, evaluation=evaluation, tell=tell
            ),
        )

    return Tool(
        name=offered.name,
        title=offered.title or offered.name,
        description=offered.description,
        input_schema=schema,
        handler=call_it,
        annotations={"readOnlyHint": offered.read_only},
    )
