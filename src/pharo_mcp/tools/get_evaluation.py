"""Tool `get_evaluation`: see how an evaluation goes on, or read on in its result."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image import LONGEST_WAIT, ImageClient
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .outcomes import OUTCOME, result_of

DESCRIPTION = """\
Wait for an evaluation that was still running when its call answered, or read more of a result that was \
cut, by its evaluation_id.

It answers what evaluate would have answered: the value, the error, or that it still runs. The image \
keeps the last 50 that are over. It changes nothing; to end an evaluation use stop_evaluation."""

ARGUMENTS = Schema(
    {
        "type": "object",
        "properties": {
            "evaluation_id": {"type": "string", "description": "The id that evaluate answered."},
            "wait_seconds": {
                "type": "number",
                "minimum": 0,
                "maximum": LONGEST_WAIT,
                "default": 0,
                "description": "Seconds to wait for its end; 0 answers at once.",
            },
            "offset": {
                "type": "integer",
                "minimum": 0,
                "default": 0,
                "description": "Characters of the print string to skip.",
            },
            "max_characters": {
                "type": "integer",
                "minimum": 1,
                "maximum": 200_000,
                "default": 10_000,
                "description": "Characters of the print string to answer.",
            },
        },
        "required": ["evaluation_id"],
        "additionalProperties": False,
    }
)


def get_evaluation_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def get_evaluation(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        evaluation, options = arguments["evaluation_id"], dict(arguments)
        del options["evaluation_id"]
        return result_of(image, lambda: image.follow(evaluation, **options), arguments["offset"])

    return Tool(
        name="get_evaluation",
        title="Follow an evaluation",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=get_evaluation,
        annotations={"readOnlyHint": True, "openWorldHint": False},
        output_schema=OUTCOME if structured else None,
        is_quick=lambda arguments: not arguments.get("wait_seconds"),
    )
