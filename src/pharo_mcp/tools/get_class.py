"""Tool `get_class`: read what a class or a trait is."""

from collections.abc import Iterator, Mapping, Sequence
from typing import cast

from pharo_mcp.image import ClassDetails, ImageClient, Protocol, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

DESCRIPTION = """\
Read what a class or a trait of the live Pharo image is: definition, comment, superclasses, subclasses, \
slots, class variables, traits, package, and the selectors of both sides by protocol.

Use it before you write code that uses or changes a class: the image, not memory, says which selectors \
it has. It changes nothing. If there is no class of that name, the error lists similar names."""

ARGUMENTS = Schema(
    {
        "type": "object",
        "properties": {
            "class_name": {
                "type": "string",
                "minLength": 1,
                "description": "Name of a class or a trait, case-sensitive, without ` class`.",
            }
        },
        "required": ["class_name"],
        "additionalProperties": False,
    }
)


def get_class_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def get_class(arguments: Mapping[str, object], call: Call) -> ToolResult:
        details = image.class_details(cast(str, arguments["class_name"]))
        return ToolResult.from_text("\n".join(_lines(details)), write(details))

    return Tool(
        name="get_class",
        title="Read a class",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=get_class,
        annotations={"readOnlyHint": True, "openWorldHint": False},
        output_schema=Schema(schema_of(ClassDetails)) if structured else None,
    )


def _lines(details: ClassDetails) -> Iterator[str]:
    """The details as text: first what it is, then what it has, last what it can do."""
    yield f"{details.name}, a {details.kind} in package {details.package}" + (
        f", tag {details.tag}" if details.tag else ""
    )
    yield from ("", "Definition:", details.definition)
    yield from ("", "Comment:", details.comment or "(none)", "")
    for title, names, separator in (
        ("Superclasses", details.superclasses, " > "),
        ("Subclasses", details.subclasses, ", "),
        ("Traits", details.traits, ", "),
        ("Slots", details.slots, ", "),
        ("Class-side slots", details.class_slots, ", "),
        ("Class variables", details.class_variables, ", "),
    ):
        yield f"{title}: {separator.join(names) or '(none)'}"
    yield from _methods("Methods", details.protocols)
    yield from _methods("Class-side methods", details.class_protocols)


def _methods(title: str, protocols: Sequence[Protocol]) -> Iterator[str]:
    yield from ("", f"{title}:" if protocols else f"{title}: (none)")
    for protocol in protocols:
        yield f"    {protocol.name}: {', '.join(protocol.selectors)}"
