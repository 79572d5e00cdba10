"""Tool `inspect_object`: show the state of an object that an evaluation returned."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.evaluation import Inspection
from pharo_mcp.image.replies.shapes import schema_of, write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.protocol.tools import Tool, ToolError, ToolResult

from .declaration import READS, integer, schema_of_arguments, string
from .text.pausing import part_line
from .text.windows import window_lines

DESCRIPTION = """\
Show an object: class, instance variables and elements, with their ids. Or a window: its text, and what is \
selected in it."""

ARGUMENTS = schema_of_arguments(
    object_id=string("Id of the object, such as o-17."),
    error_id=string("Id of an error or paused evaluation, to show a frame of its stack."),
    frame=integer("Frame in error_id's stack.", minimum=1),
    path={
        "type": "array",
        "items": {"type": ["string", "integer"]},
        "default": [],
        "description": "Path to another object: variable names, indexes from 1, keys as printed (#a, 'b').",
    },
    offset=integer("Elements to skip.", minimum=0, default=0),
    limit=integer("Elements per page.", minimum=1, maximum=500, default=50),
)


def inspect_object_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def inspect_object(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        if len(arguments.keys() & {"object_id", "error_id"}) != 1:
            raise ToolError(
                "inspect_object needs either object_id or error_id: use one that an answer named.",
                "badRequest",
            )
        inspection = image.inspect(**arguments)
        text = "\n".join(_lines(inspection, arguments["offset"]))
        return ToolResult.from_text(text, write(inspection))

    return Tool(
        name="inspect_object",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=inspect_object,
        annotations=READS,
        output_schema=Schema(schema_of(Inspection)) if structured else None,
    )


def _lines(inspection: Inspection, offset: int) -> Iterator[str]:
    if inspection.window:
        yield from window_lines(inspection.window)
        yield from ("", *(part_line(each) for each in inspection.variables))
        yield _reached(inspection)
        return
    yield inspection.print_string
    yield f"Class: {inspection.class_name}"
    yield _reached(inspection)
    if inspection.size is not None:
        yield f"Size: {inspection.size:,}"
    yield from ("", "Instance variables:" if inspection.variables else "Instance variables: (none)")
    yield from (f"    {part_line(each)}" for each in inspection.variables)
    if inspection.elements:
        end, count = offset + len(inspection.elements), inspection.element_count
        yield from ("", f"Elements {offset + 1:,} to {end:,} of {count:,}:")
        yield from (f"    {part_line(each)}" for each in inspection.elements)
        if end < count:
            yield f"For more elements, use offset {end}."


def _reached(inspection: Inspection) -> str:
    """Return the id of the object, or the path of one that has no id."""
    if inspection.path and not inspection.found_id:
        return f"Object: {inspection.object_id}, path {' '.join(map(str, inspection.path))}"
    return f"object_id: {inspection.found_id or inspection.object_id}"
