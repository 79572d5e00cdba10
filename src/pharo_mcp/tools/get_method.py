"""Tool `get_method`: read the source of a method."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import ImageClient, Method, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .arguments import CLASS_NAME, SELECTOR, SIDE, arguments
from .hints import READS
from .next_steps import NEXT_STEPS
from .wording import bounded, method_name, method_uri

DESCRIPTION = """\
Read a method: source, protocol, package, what it overrides. An inherited one: from the class that has it."""


def get_method_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def get_method(given: Mapping[str, Any], call: Call) -> ToolResult:
        method = _bounded(image.code.method(**given))
        return ToolResult.from_text("\n".join(_lines(method)), write(method))

    return Tool(
        name="get_method",
        title="Read a method",
        description=DESCRIPTION,
        input_schema=arguments(
            ("class_name", "selector"), class_name=CLASS_NAME, selector=SELECTOR, side=SIDE
        ),
        handler=get_method,
        annotations=READS,
        output_schema=Schema(schema_of(Method)) if structured else None,
    )


def _bounded(method: Method) -> Method:
    uri = method_uri(method.class_name, method.side, method.selector)
    return method._replace(source=bounded(method.source, uri))


def _lines(method: Method) -> Iterator[str]:
    extension = ", an extension" if method.is_extension else ""
    yield (
        f"{method_name(method.class_name, method.side, method.selector)} in protocol {method.protocol} "
        f"of package {method.package}{extension}"
    )
    if method.origin:
        yield f"It comes from the trait {method.origin}: compile it there to change it for all its users."
    if method.overrides:
        yield f"It overrides {method.overrides}>>{method.selector}."
    if method.abstract:
        yield "It is abstract: subclasses have to implement it."
    yield NEXT_STEPS["get_method"]
    yield ""
    yield method.source
