"""Tool `get_method`: show the source of a method."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import ImageClient, MethodSource, method_name, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .declaration import CLASS_NAME, READS, SELECTOR, SIDE, schema_of_arguments
from .text.wording import bounded, method_uri

DESCRIPTION = """\
Show a method, also an inherited one: source, protocol, package."""


def get_method_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def get_method(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        method = _bounded(image.code.method(**arguments, anywhere=True))
        return ToolResult.from_text("\n".join(_lines(method)), write(method))

    return Tool(
        name="get_method",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(
            ("class_name", "selector"), class_name=CLASS_NAME, selector=SELECTOR, side=SIDE
        ),
        handler=get_method,
        annotations=READS,
        output_schema=Schema(schema_of(MethodSource)) if structured else None,
    )


def _bounded(method: MethodSource) -> MethodSource:
    uri = method_uri(method.class_name, method.side, method.selector)
    return method._replace(source=bounded(method.source, uri))


def _lines(method: MethodSource) -> Iterator[str]:
    if method.note:
        yield method.note
    extension = ", an extension" if method.is_extension else ""
    yield (
        f"{method_name(method.class_name, method.side, method.selector)} in protocol {method.protocol} "
        f"of package {method.package}{extension}"
    )
    if method.origin:
        yield f"It is defined in the trait {method.origin}: compile it there to change it for all users."
    if method.overrides:
        yield f"It overrides {method.overrides}>>{method.selector}."
    if method.abstract:
        yield "It is abstract: subclasses must implement it."
    yield ""
    yield method.source
