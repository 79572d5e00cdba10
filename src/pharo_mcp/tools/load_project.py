"""Tool `load_project`: load a project with Metacello."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image import ImageClient
from pharo_mcp.protocol import Call, Tool, ToolResult

from .arguments import arguments, name, names, seconds
from .outcomes import outcome_schema, result_of_new

DESCRIPTION = """\
Load a project into the live image with Metacello. After 40 seconds the call answers an evaluation_id for \
get_evaluation and stop_evaluation. What it changed in classes that were there, list_changes tells."""


def load_project_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def load_project(given: Mapping[str, Any], call: Call) -> ToolResult:
        return result_of_new(
            image,
            call,
            lambda evaluation, tell: image.projects.load(**given, evaluation=evaluation, tell=tell),
        )

    return Tool(
        name="load_project",
        title="Load a project",
        description=DESCRIPTION,
        input_schema=arguments(
            ("baseline", "repository"),
            baseline=name("Like `Mustache`, for BaselineOfMustache."),
            repository=name("Like `github://owner/project:main/src` or `tonel:///folder`."),
            groups=names("What to load; the default group without."),
            timeout_seconds=seconds("Seconds.", exclusiveMinimum=0, maximum=3600, default=1800),
        ),
        handler=load_project,
        annotations={
            "readOnlyHint": False,
            "destructiveHint": True,
            "idempotentHint": True,
            "openWorldHint": True,
        },
        output_schema=outcome_schema() if structured else None,
    )
