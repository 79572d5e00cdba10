"""Tool `set_breakpoint`: pause evaluations before a statement of a method."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.code import method_name
from pharo_mcp.image.replies.debugging import Breakpoint, Breakpoints
from pharo_mcp.image.replies.shapes import schema_of, write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.protocol.tools import Tool, ToolError, ToolResult

from .declaration import SELECTOR, SIDE, flag, integer, schema_of_arguments, string

DESCRIPTION = "Let evaluations with on_error pause stop in a method."

ARGUMENTS = schema_of_arguments(
    class_name=string("Class; omit to list all."),
    selector=SELECTOR,
    side=SIDE,
    line=integer("Line to pause before.", minimum=1),
    condition=string("Expression that must be true."),
    remove=flag("Remove breakpoints.", default=False),
)


def set_breakpoint_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def set_breakpoint(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        _check(arguments)
        found = image.debugging.breakpoints(**arguments)
        return ToolResult.from_text("\n".join(_lines(found, arguments)), write(found))

    return Tool(
        name="set_breakpoint",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=set_breakpoint,
        annotations={"destructiveHint": False},
        output_schema=Schema(schema_of(Breakpoints)) if structured else None,
    )


def _check(arguments: Mapping[str, Any]) -> None:
    if ("class_name" in arguments) != ("selector" in arguments):
        raise ToolError("A breakpoint needs class_name and selector. Nothing was changed.", "badRequest")
    if "class_name" not in arguments and arguments.keys() & {"side", "line", "condition"}:
        raise ToolError("A breakpoint needs class_name and selector. No breakpoint was set.", "badRequest")


def _lines(found: Breakpoints, arguments: Mapping[str, Any]) -> Iterator[str]:
    if arguments["remove"]:
        yield f"Removed breakpoints: {found.removed}."
    elif "class_name" in arguments:
        yield "The breakpoint is set. Only evaluations and tests with on_error pause will pause there."
    yield "Breakpoints:" if found.breakpoints else "Breakpoints: none."
    yield from (f"    {_line_of(each)}" for each in found.breakpoints)


def _line_of(each: Breakpoint) -> str:
    method = method_name(each.class_name, each.side, each.selector)
    condition = f", if {' '.join(each.condition.split())}" if each.condition else ""
    hits = "1 hit" if each.hits == 1 else f"{each.hits} hits"
    gone = "; gone: the method was compiled again" if each.gone else ""
    return f"{method}, line {each.line}: {each.source_line} [{hits}{condition}{gone}]"
