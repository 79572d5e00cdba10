"""Tool `get_evaluation`: wait for an evaluation, or read the next part of its result."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.questions import asker_of
from pharo_mcp.protocol.tools import Tool, ToolResult
from pharo_mcp.times import FOLLOW_SECONDS

from .declaration import READS, integer, schema_of_arguments, string, wait_seconds, with_bounded_wait
from .text.outcomes import outcome_schema, result_of

DESCRIPTION = """\
Wait for a running evaluation or tests, or return the next part of a long result."""

ARGUMENTS = schema_of_arguments(
    ("evaluation_id",),
    evaluation_id=string("Id from the earlier call."),
    wait_seconds=wait_seconds("Seconds to wait for the end", default=FOLLOW_SECONDS),
    offset=integer("Characters to skip.", default=0),
    max_characters=integer("Longest result to return.", maximum=200_000, default=10_000),
)


def get_evaluation_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def get_evaluation(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        options = with_bounded_wait(arguments)
        evaluation_id = options.pop("evaluation_id")
        asker = asker_of(call, image.questions)
        page = arguments["offset"], arguments["max_characters"]
        return result_of(image, lambda: image.follow(evaluation_id, **options, asker=asker), *page)

    return Tool(
        name="get_evaluation",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=get_evaluation,
        annotations=READS,
        output_schema=outcome_schema() if structured else None,
    )
