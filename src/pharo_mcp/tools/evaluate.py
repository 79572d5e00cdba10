"""Tool `evaluate`: evaluate Smalltalk in the image."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.tools import Tool, ToolResult
from pharo_mcp.times import MAX_EVALUATION_SECONDS, WAIT_SECONDS

from .declaration import (
    ANYTHING,
    any_string,
    choice,
    flag,
    integer,
    names,
    schema_of_arguments,
    seconds,
    string,
    wait_seconds,
    with_bounded_wait,
)
from .text.outcomes import following, outcome_schema, result_of

DESCRIPTION = """\
Evaluate Smalltalk in the live image; returns the print string of the last value. Undeclared variables \
are kept. To change code, use edit_code."""

EXPRESSION = any_string(
    "Smalltalk statements, separated by periods.",
    maxLength=600_000,  # the image accepts this many, however they are escaped
)
OPTIONS = {
    "wait_seconds": wait_seconds(
        "Seconds to wait before returning an evaluation_id for get_evaluation", default=WAIT_SECONDS
    ),
    "max_characters": integer(
        "Longest result to return, at most 200,000.", minimum=1, maximum=200_000, default=3_000
    ),
    "workspace": string("Workspace that keeps the variables.", default="default"),
    "reset_workspace": flag("Remove the variables of the workspace first.", default=False),
    "tests": names("Packages, classes or tests (`ShOrderTest>>testTotal`) to run afterwards."),
    "receiver": string("object_id of the object to use as `self`."),
    "error_id": string("Id of an error or paused evaluation, to evaluate in its stack."),
    "frame": integer("Frame in error_id's stack.", minimum=1),
    "picture": flag("Add a picture of the value.", default=False),
    "process": choice(
        "Process to evaluate in; `ui` can open windows.",
        "background",
        "ui",
        default="background",
    ),
    "on_error": choice(
        "Report an error, pause on it for debug_step, or open the user's debugger.",
        "report",
        "pause",
        "debug",
        default="report",
    ),
}


def evaluate_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""
    limit = seconds(
        "Seconds until the evaluation is terminated.",
        exclusiveMinimum=0,
        maximum=MAX_EVALUATION_SECONDS,
        default=image.limit,
    )
    properties = {"expression": EXPRESSION, "timeout_seconds": limit, **OPTIONS}

    def evaluate(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        # The image has the same defaults; what is not sent need not be read.
        options = with_bounded_wait(arguments)
        sent = {name: value for name, value in options.items() if value != properties[name].get("default")}
        tests = sent.pop("tests", ())
        if sent.pop("reset_workspace", False):
            image.reset_workspace(sent.get("workspace"))
        if not tests:
            return result_of(image, partial(image.evaluate, **{**sent, **following(image, call)}))
        result = result_of(image, partial(image.evaluate, **sent))
        run = partial(image.projects.run_tests, items=tests, **following(image, call))
        return result.followed_by(result_of(image, run))

    return Tool(
        name="evaluate",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(("expression",), **properties),
        handler=evaluate,
        annotations=ANYTHING,
        output_schema=outcome_schema() if structured else None,
    )
