"""Tool `run_tests`: run SUnit tests in the image."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image import ImageClient
from pharo_mcp.protocol import Call, Tool, ToolError, ToolResult

from .arguments import arguments, flag, seconds, text
from .hints import ADDS
from .outcomes import outcome_schema, result_of_new

DESCRIPTION = """\
Run the tests of a class or package, or one by class_name and selector; do so after each change. Failures \
come with message and stack. Over 40 seconds, get_evaluation waits."""


def run_tests_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def run_tests(given: Mapping[str, Any], call: Call) -> ToolResult:
        if ("class_name" in given) == ("package" in given) or {"package", "selector"} <= given.keys():
            raise ToolError(
                "Nothing was run: give either class_name, with a selector for one test, or package.",
                "badRequest",
            )
        return result_of_new(
            image,
            call,
            lambda evaluation, tell: image.projects.run_tests(**given, evaluation=evaluation, tell=tell),
        )

    return Tool(
        name="run_tests",
        title="Run tests",
        description=DESCRIPTION,
        input_schema=arguments(
            class_name=text("Test class."),
            selector=text("One test."),
            package=text("All in it."),
            only_failures=flag("Not what passed.", default=False),
            timeout_seconds=seconds("For all.", maximum=3600, default=600),
            test_timeout_seconds=seconds("For each.", default=10),
        ),
        handler=run_tests,
        annotations=ADDS,
        output_schema=outcome_schema() if structured else None,
    )
