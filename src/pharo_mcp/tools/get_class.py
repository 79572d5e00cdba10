"""Tool `get_class`: read what a class or a trait is."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pharo_mcp.image import ClassDetails, ImageClient, Protocol, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .arguments import CLASS_NAME, arguments
from .hints import READS
from .next_steps import NEXT_STEPS
from .wording import bounded, class_uri

DESCRIPTION = """\
Read what a class or trait is before you use or change it. include picks parts; methods are selectors by \
protocol."""

PARTS = ("definition", "comment", "hierarchy", "variables", "methods")

MOST = 100
"""Names in a line; Object has hundreds of subclasses, which `search` pages through by hierarchy."""

ARGUMENTS = arguments(
    ("class_name",),
    class_name=CLASS_NAME,
    include={
        "type": "array",
        "items": {"enum": list(PARTS)},
        "description": "All without.",
    },
)


def get_class_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def get_class(given: Mapping[str, Any], call: Call) -> ToolResult:
        details = _bounded(image.code.class_details(given["class_name"], given.get("include") or None))
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
    """The details as text: first what it is, then what it has, last what it can do."""
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


def _methods(title: str, protocols: Sequence[Protocol] | None) -> Iterator[str]:
    if protocols is None:
        return
    yield from ("", f"{title}:" if protocols else f"{title}: (none)")
    for protocol in protocols:
        yield f"    {protocol.name}: {', '.join(protocol.selectors)}"
