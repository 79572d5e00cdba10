"""Tool `profile`: find out where time goes."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.tools import Tool, ToolError, ToolResult
from pharo_mcp.times import MAX_EVALUATION_SECONDS, TESTS_SECONDS, WAIT_SECONDS

from .declaration import (
    ANYTHING,
    choice,
    flag,
    schema_of_arguments,
    seconds,
    string,
    wait_seconds,
    with_bounded_wait,
)
from .text.outcomes import following, outcome_schema, result_of

DESCRIPTION = "Report where time goes while an expression or tests run."

ARGUMENTS = schema_of_arguments(
    expression=string("Expression to evaluate; or test_class.", maxLength=600_000),
    test_class=string("Test class whose tests run."),
    selector=string("Selector of a single test."),
    timeout_seconds=seconds(
        "Seconds until the evaluation is terminated.", exclusiveMinimum=0, maximum=MAX_EVALUATION_SECONDS
    ),
    wait_seconds=wait_seconds("Seconds to wait before returning an evaluation_id"),
    process=choice("Process to evaluate in; `ui` is that of the windows.", "background", "ui"),
    picture=flag("Add a flame graph as a picture.", default=False),
)


def profile_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def profile(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        options = with_bounded_wait(arguments)
        picture = options.pop("picture")
        _check(options)
        if "test_class" in options:
            options["class_name"] = options.pop("test_class")
        limit = image.limit if "expression" in options else TESTS_SECONDS
        asked = {"timeout_seconds": limit, "wait_seconds": WAIT_SECONDS, **options, **following(image, call)}
        return result_of(image, partial(image.profiling.profile, **asked), picture=picture)

    return Tool(
        name="profile",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=profile,
        annotations=ANYTHING,
        output_schema=outcome_schema() if structured else None,
    )


def _check(options: Mapping[str, Any]) -> None:
    if ("expression" in options) == ("test_class" in options):
        raise ToolError(
            "profile needs either expression, or test_class with selector for a single test. Nothing ran.",
            "badRequest",
        )
    if "selector" in options and "test_class" not in options:
        raise ToolError("selector needs test_class, the class of the test. Nothing ran.", "badRequest")
