"""Tool `inspect_object`: look into an object that an evaluation answered."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import ImageClient, Inspection, Part, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .arguments import arguments, integer, text
from .hints import READS

DESCRIPTION = """\
Look into an object of the live image by the object_id that evaluate answered: class, instance variables, \
elements page by page, and, along a path, what it refers to. Better than to print a large object."""

ARGUMENTS = arguments(
    ("object_id",),
    object_id=text("Like o-17."),
    path={
        "type": "array",
        "items": {"type": ["string", "integer"]},
        "default": [],
        "description": "From there on: names of variables, indexes from 1, keys as printed.",
    },
    offset=integer("Elements to skip.", minimum=0, default=0),
    limit=integer("Elements to answer.", minimum=1, maximum=1000, default=50),
)


def inspect_object_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def inspect_object(given: Mapping[str, Any], call: Call) -> ToolResult:
        inspection = image.inspect(**given)
        text = "\n".join(_lines(inspection, given["offset"]))
        return ToolResult.from_text(text, write(inspection))

    return Tool(
        name="inspect_object",
        title="Inspect an object",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=inspect_object,
        annotations=READS,
        output_schema=Schema(schema_of(Inspection)) if structured else None,
    )


def _lines(inspection: Inspection, offset: int) -> Iterator[str]:
    way = " ".join(map(str, inspection.path))
    yield inspection.print_string
    yield f"Class: {inspection.class_name}"
    yield f"Object: {inspection.object_id}{f', path {way}' if way else ''}"
    if inspection.size is not None:
        yield f"Size: {inspection.size:,}"
    yield from ("", "Instance variables:" if inspection.variables else "Instance variables: (none)")
    yield from (f"    {_part(each)}" for each in inspection.variables)
    if inspection.elements:
        end, count = offset + len(inspection.elements), inspection.element_count
        yield from ("", f"Elements {offset + 1:,} to {end:,} of {count:,}:")
        yield from (f"    {_part(each)}" for each in inspection.elements)
        if end < count:
            yield f"For more, inspect with offset {end}."


def _part(part: Part) -> str:
    label = next(str(each) for each in (part.name, part.index_, part.key, "?") if each is not None)
    return f"{label}: {part.print_string} ({part.class_name})"
