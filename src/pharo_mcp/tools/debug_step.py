"""Tool `debug_step`: move a paused evaluation on."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.questions import asker_of
from pharo_mcp.protocol.tools import Tool, ToolError, ToolResult
from pharo_mcp.times import WAIT_SECONDS

from .declaration import ANYTHING, choice, integer, schema_of_arguments, string
from .text.outcomes import outcome_schema, result_of

DESCRIPTION = "Move a paused evaluation on. After edit_code, restart runs the new method."

ARGUMENTS = schema_of_arguments(
    ("evaluation_id", "action"),
    evaluation_id=string("Id of the paused evaluation."),
    action=choice(
        "`return` gives value to the sender, `retry` starts again.",
        "into",
        "over",
        "out",
        "to_line",
        "restart",
        "return",
        "proceed",
        "retry",
    ),
    frame=integer("Frame to step in.", minimum=1, default=1),
    value={
        **string("Expression to return or proceed with; the line number for to_line."),
        "type": ["string", "integer"],
    },
)


def debug_step_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def debug_step(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        options = dict(arguments)
        if "value" in options:
            options["value"] = str(options["value"])
        if options["action"] == "to_line":
            options |= {"action": "line", "line": _line_in(options.pop("value", ""))}
        asker = asker_of(call, image.questions)
        if call.evaluation:  # the step was made already, and what it asked is answered now
            return result_of(image, partial(image.follow, call.evaluation, WAIT_SECONDS, asker=asker))
        return result_of(image, partial(image.debugging.step, **options, asker=asker))

    return Tool(
        name="debug_step",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=debug_step,
        annotations=ANYTHING,
        output_schema=outcome_schema() if structured else None,
    )


def _line_in(value: str) -> int:
    if not value.isdecimal() or int(value) == 0:
        raise ToolError(
            "to_line needs value, the number of a line of the source, such as 3. Nothing ran.", "badRequest"
        )
    return int(value)
