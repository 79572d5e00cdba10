"""Tool `inspect_object`: look into an object that an evaluation answered."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import ImageClient, Inspection, Part, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

DESCRIPTION = """\
Look into an object of the live Pharo image by the object_id that an evaluation answered: its class, its \
instance variables, its elements page by page, and, along a path, the objects that it refers to.

Use it instead of evaluating `inspect` or printing a large object. It changes nothing. The image keeps the \
last 200 objects that had an id; evaluate again for one that is gone."""

ARGUMENTS = Schema(
    {
        "type": "object",
        "properties": {
            "object_id": {"type": "string", "description": "The id that evaluate answered, like o-17."},
            "path": {
                "type": "array",
                "items": {"type": ["string", "integer"]},
                "default": [],
                "description": "The way from that object to the one to look into: names of instance "
                "variables, indexes from 1, keys of dictionaries by their print string.",
            },
            "offset": {"type": "integer", "minimum": 0, "default": 0, "description": "Elements to skip."},
            "limit": {
                "type": "integer",
                "minimum": 1,
                "maximum": 1000,
                "default": 50,
                "description": "Elements to answer.",
            },
        },
        "required": ["object_id"],
        "additionalProperties": False,
    }
)


def inspect_object_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def inspect_object(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        inspection = image.inspect(**arguments)
        text = "\n".join(_lines(inspection, arguments["offset"]))
        return ToolResult.from_text(text, write(inspection))

    return Tool(
        name="inspect_object",
        title="Inspect an object",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=inspect_object,
        annotations={"readOnlyHint": True, "openWorldHint": False},
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
