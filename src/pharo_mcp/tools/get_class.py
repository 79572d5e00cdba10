"""Tool `get_class`: show a class or trait."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pharo_mcp.image import ClassDetails, ImageClient, MethodProtocol, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .declaration import CLASS_NAME, READS, schema_of_arguments
from .text.wording import NEXT_STEPS, bounded, class_uri

DESCRIPTION = "Show a class or trait: definition, comment, hierarchy, variables, and selectors by protocol."

PARTS = ("definition", "comment", "hierarchy", "variables", "methods")

MOST = 100
"""Names in a line. Object has hundreds of subclasses; `search` lists them all, with its hierarchy."""

ARGUMENTS = schema_of_arguments(
    ("class_name",),
    class_name=CLASS_NAME,
    include={
        "type": "array",
        "items": {"enum": list(PARTS)},
        "description": "Parts to return; omit for all.",
    },
)


def get_class_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def get_class(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        details = _bounded(
            image.code.class_details(arguments["class_name"], arguments.get("include") or None)
        )
        return ToolResult.from_text("\n".join(_lines(details)), write(details))

    return Tool(
        name="get_class",
        title="Read a class",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=get_class,
        annotations=READS,
        output_schema=Schema(schema_of(ClassDetails)) if structured else None,
    )


def _bounded(details: ClassDetails) -> ClassDetails:
    uri = class_uri(details.name)
    return details._replace(
        definition=details.definition and bounded(details.definition, uri),
        comment=details.comment and bounded(details.comment, uri),
    )


def _lines(details: ClassDetails) -> Iterator[str]:
    """Yield the details: first the definition, then the names, last the methods."""
    yield f"{details.name}, a {details.kind} in package {details.package}" + (
        f", tag {details.tag}" if details.tag else ""
    )
    if details.definition is not None:
        yield from ("", "Definition:", details.definition)
    if details.comment is not None:
        yield from ("", "Comment:", details.comment or "(none)")
    names = [*_names(details)]
    yield from ("", *names) if names else ()
    yield from _methods("Methods", details.protocols)
    yield from _methods("Class-side methods", details.class_protocols)
    if details.protocols or details.class_protocols:
        yield from ("", NEXT_STEPS["get_class"])


def _names(details: ClassDetails) -> Iterator[str]:
    for title, names, separator in (
        ("Superclasses", details.superclasses, " > "),
        ("Subclasses", details.subclasses, ", "),
        ("Traits", details.traits, ", "),
        ("Slots", details.slots, ", "),
        ("Class-side slots", details.class_slots, ", "),
        ("Class variables", details.class_variables, ", "),
    ):
        if names is not None:
            more = f", … and {len(names) - MOST:,} more" if len(names) > MOST else ""
            yield f"{title}: {separator.join(names[:MOST]) or '(none)'}{more}"


def _methods(title: str, protocols: Sequence[MethodProtocol] | None) -> Iterator[str]:
    if protocols is None:
        return
    yield from ("", f"{title}:" if protocols else f"{title}: (none)")
    for protocol in protocols:
        yield f"    {protocol.name}: {', '.join(protocol.selectors)}"
