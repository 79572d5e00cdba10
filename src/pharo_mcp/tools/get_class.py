"""Tool `get_class`: show a class or trait."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.code import ClassDetails, ClassSource, MethodProtocol, MethodSource, method_name
from pharo_mcp.image.replies.shapes import schema_of, write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.protocol.tools import Tool, ToolResult

from .declaration import CLASS_NAME, CURSOR, READS, schema_of_arguments, string
from .text.paging import offset_in, rest_after
from .text.wording import bounded, class_uri, method_uri

DESCRIPTION = "Show a class or trait: definition, comment, hierarchy, selectors by protocol, source."

PARTS = ("definition", "comment", "hierarchy", "variables", "methods", "source")

MOST = 100
"""Names in a line. Object has hundreds of subclasses; `search` lists them all, with its hierarchy."""

ARGUMENTS = schema_of_arguments(
    ("class_name",),
    class_name=CLASS_NAME,
    include={
        "type": "array",
        "items": {"type": "string", "enum": list(PARTS)},
        "description": "Parts to return; omit for all but source.",
    },
    protocol=string("Protocol whose source to return."),
    cursor=CURSOR,
)


def get_class_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def get_class(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        details = _bounded(image.code.class_details(**_asked(arguments)))
        return ToolResult.from_text("\n".join(_lines(details)), write(details))

    return Tool(
        name="get_class",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=get_class,
        annotations=READS,
        output_schema=Schema(schema_of(ClassDetails)) if structured else None,
    )


def _asked(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return what to ask for; a protocol or a cursor asks for the source."""
    include = list(arguments.get("include") or ())
    if "source" not in include and not arguments.keys().isdisjoint(("protocol", "cursor")):
        include.append("source")
    asked = {"class_name": arguments["class_name"], "include": include or None}
    if "source" in include:
        asked |= {"protocol": arguments.get("protocol"), "offset": offset_in(arguments)}
    return asked


def _bounded(details: ClassDetails) -> ClassDetails:
    uri = class_uri(details.name)
    if details.source:
        methods = tuple(map(_bounded_method, details.source.items))
        details = details._replace(source=details.source._replace(items=methods))
    return details._replace(
        definition=details.definition and bounded(details.definition, uri),
        comment=details.comment and bounded(details.comment, uri),
    )


def _bounded_method(method: MethodSource) -> MethodSource:
    uri = method_uri(method.class_name, method.side, method.selector)
    return method._replace(source=bounded(method.source, uri))


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
    if details.source:
        yield from _source(details.source)


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


def _source(source: ClassSource) -> Iterator[str]:
    """Yield the methods of a page, each with where it is."""
    if not source.total:
        yield from ("", "Methods: (none)")
    for method in source.items:
        package = f" of package {method.package}" if method.is_extension else ""
        origin = f", from trait {method.origin}" if method.origin else ""
        name = method_name(method.class_name, method.side, method.selector)
        yield from ("", f"{name} in protocol {method.protocol}{package}{origin}", "", method.source)
    if rest := rest_after(source.offset, len(source.items), source.total):
        yield from ("", rest)
