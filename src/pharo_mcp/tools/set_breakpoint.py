"""Tool `set_breakpoint`: pause evaluations before a statement of a method."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import Breakpoint, Breakpoints, ImageClient, method_name, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolError, ToolResult

from .declaration import integer, schema_of_arguments, string

DESCRIPTION = "Pause evaluations with on_error pause in a method; without it, list breakpoints."

ARGUMENTS = schema_of_arguments(
    method=string("Such as `Foo>>bar:`."),
    line=integer("Line; 0: remove."),
    condition=string("Pause only if true."),
)


def set_breakpoint_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def set_breakpoint(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        found = image.debugging.breakpoints(**_request(**arguments))
        return ToolResult.from_text("\n".join(_lines(found, arguments)), write(found))

    return Tool(
        name="set_breakpoint",
        title="Breakpoints",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=set_breakpoint,
        annotations={"destructiveHint": False},
        output_schema=Schema(schema_of(Breakpoints)) if structured else None,
    )


def _request(
    method: str | None = None, line: int | None = None, condition: str | None = None
) -> dict[str, Any]:
    """Return the arguments of the image's request; line 0 removes the breakpoint, or without a method all."""
    where = {} if method is None else _names_in(method)
    if line == 0:
        return {**where, "remove": True}
    if method is None and (line is not None or condition is not None):
        raise ToolError(
            "set_breakpoint needs a method, such as Foo>>bar:. No breakpoint was set.", "badRequest"
        )
    return {**where, "line": line, "condition": condition}


def _names_in(method: str) -> dict[str, str]:
    class_name, arrow, selector = method.partition(">>")
    if not (class_name.strip() and arrow and selector.strip()):
        raise ToolError(
            f"{method!r} is not a method: give its class, too, such as Foo>>bar: or Foo class>>new.",
            "badRequest",
        )
    return {"class_name": class_name.strip(), "selector": selector.strip()}


def _lines(found: Breakpoints, arguments: Mapping[str, Any]) -> Iterator[str]:
    if arguments.get("line") == 0:
        yield f"Removed breakpoints: {found.removed}."
    elif arguments:
        yield "The breakpoint is set. Only evaluations and tests with on_error pause will pause there."
    yield "Breakpoints:" if found.breakpoints else "Breakpoints: none."
    yield from (f"    {_line_of(each)}" for each in found.breakpoints)


def _line_of(each: Breakpoint) -> str:
    method = method_name(each.class_name, each.side, each.selector)
    condition = f", if {' '.join(each.condition.split())}" if each.condition else ""
    hits = "1 hit" if each.hits == 1 else f"{each.hits} hits"
    gone = "; gone: the method was compiled again" if each.gone else ""
    return f"{method}, line {each.line}: {each.source_line} [{hits}{condition}{gone}]"
