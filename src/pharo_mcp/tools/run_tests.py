"""Tool `run_tests`: run SUnit tests in the image."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.tools import Tool, ToolError, ToolResult
from pharo_mcp.times import MAX_EVALUATION_SECONDS, TESTS_SECONDS

from .declaration import ADDS, ON_ERROR, flag, names, schema_of_arguments, seconds, string
from .text.outcomes import following, outcome_schema, result_of

DESCRIPTION = "Run the tests of a class or package, or one test; may return an evaluation_id."


def run_tests_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def run_tests(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        if ("class_name" in arguments) == ("package" in arguments) or {
            "package",
            "selector",
        } <= arguments.keys():
            raise ToolError(
                "run_tests needs either class_name, with selector for a single test, or package. "
                "No tests were run.",
                "badRequest",
            )
        return result_of(image, partial(image.projects.run_tests, **arguments, **following(image, call)))

    return Tool(
        name="run_tests",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(
            class_name=string("Test class."),
            selector=string("Selector of a single test."),
            package=string("Package whose tests to run."),
            coverage=names("Packages whose coverage to report."),
            only_failures=flag("Leave out passing tests.", default=True),
            timeout_seconds=seconds(
                "Seconds until the run is terminated.", maximum=MAX_EVALUATION_SECONDS, default=TESTS_SECONDS
            ),
            test_timeout_seconds=seconds("Seconds until a test is terminated.", default=10),
            on_error=ON_ERROR,
        ),
        handler=run_tests,
        annotations=ADDS,
        output_schema=outcome_schema() if structured else None,
    )
