"""Tool `find_objects`: find the instances of a class, who holds an object, and what grows."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.memory import FoundObjects
from pharo_mcp.image.replies.shapes import schema_of, write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.protocol.tools import Tool, ToolError, ToolResult

from .declaration import READS, choice, integer, schema_of_arguments, string
from .text.memory import found_lines

DESCRIPTION = "Find objects in memory, who holds them (leaks), and what grows."

ARGUMENTS = schema_of_arguments(
    ("relation",),
    relation=choice(
        "compare lists what grew since the mark; its first call sets that.",
        "instances",
        "subinstances",
        "holders",
        "path_to_root",
        "compare",
    ),
    class_name=string("Class; for path_to_root, any of its instances."),
    object_id=string("Id of the object, if not of a class."),
    mark=string("Name of a mark."),
    limit=integer("Results at most.", minimum=0, maximum=100, default=20),
)


def find_objects_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def find_objects(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        _check(arguments)
        found = image.find_objects(**arguments)
        return ToolResult.from_text("\n".join(found_lines(found)), write(found))

    return Tool(
        name="find_objects",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=find_objects,
        annotations=READS,
        output_schema=Schema(schema_of(FoundObjects)) if structured else None,
    )


def _check(arguments: Mapping[str, Any]) -> None:
    """Refuse arguments that do not belong together.

    Raises:
        ToolError: If it is not clear what to look for.
    """
    relation, given = arguments["relation"], arguments.keys() & {"class_name", "object_id"}
    if relation == "compare" and given:
        raise ToolError("compare looks at all classes: omit class_name and object_id.", "badRequest")
    if relation != "compare" and len(given) != 1:
        raise ToolError(
            f"{relation} needs either class_name or object_id, an id that an answer named.", "badRequest"
        )
    if relation != "compare" and "mark" in arguments:
        raise ToolError("Only compare has a mark: omit mark.", "badRequest")
