"""Tool `load_project`: load a project with Metacello."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.tools import Tool, ToolResult
from pharo_mcp.times import LOAD_SECONDS, MAX_EVALUATION_SECONDS

from .declaration import ANYTHING, flag, names, schema_of_arguments, seconds, string
from .text.outcomes import following, outcome_schema, result_of

DESCRIPTION = "Load a project with Metacello; may return an evaluation_id."


def load_project_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def load_project(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        return result_of(image, partial(image.projects.load, **arguments, **following(image, call)))

    return Tool(
        name="load_project",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(
            ("baseline", "repository"),
            baseline=string("Name after `BaselineOf`, such as `Mustache`."),
            repository=string("URL, such as `github://owner/project:main/src` or `tonel:///folder`."),
            groups=names("Groups to load; omit for the default."),
            use_incoming=flag("Replace what is loaded from elsewhere, or is newer.", default=False),
            timeout_seconds=seconds(
                "Seconds until loading is terminated.",
                exclusiveMinimum=0,
                maximum=MAX_EVALUATION_SECONDS,
                default=LOAD_SECONDS,
            ),
        ),
        handler=load_project,
        annotations=ANYTHING,
        output_schema=outcome_schema() if structured else None,
    )
