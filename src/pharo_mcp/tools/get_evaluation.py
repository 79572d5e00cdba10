"""Tool `get_evaluation`: see how an evaluation goes on, or read on in its result."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image import LONGEST_WAIT, ImageClient
from pharo_mcp.protocol import Call, Tool, ToolResult

from .arguments import arguments, integer, seconds, text
from .hints import READS
from .outcomes import outcome_schema, result_of

DESCRIPTION = """\
Wait for an evaluation or tests that still run, or read on in a result that was cut."""

ARGUMENTS = arguments(
    ("evaluation_id",),
    evaluation_id=text("As answered."),
    wait_seconds=seconds("To wait.", minimum=0, maximum=LONGEST_WAIT, default=0),
    offset=integer("Characters to skip.", default=0),
    max_characters=integer("To answer.", maximum=200_000, default=10_000),
)


def get_evaluation_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def get_evaluation(given: Mapping[str, Any], call: Call) -> ToolResult:
        evaluation, options = given["evaluation_id"], dict(given)
        del options["evaluation_id"]
        page = given["offset"], given["max_characters"]
        return result_of(image, lambda: image.follow(evaluation, **options), *page)

    return Tool(
        name="get_evaluation",
        title="Follow an evaluation",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=get_evaluation,
        annotations=READS,
        output_schema=outcome_schema() if structured else None,
        is_quick=lambda arguments: not arguments.get("wait_seconds"),
    )
