"""Tools for evaluations that are paused, at an error or at a breakpoint."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from pharo_mcp.handlers import asker_of
from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.code import method_name
from pharo_mcp.image.replies.evaluations import Breakpoint, PausedFrame
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import ToolError, ToolResult
from pharo_mcp.times import WAIT_SECONDS
from pharo_mcp.tools.declaration import (
    ANYTHING,
    READS,
    SELECTOR,
    SIDE,
    choice,
    flag,
    integer,
    schema_of_arguments,
    string,
    tool,
)
from pharo_mcp.tools.outcomes import result_of
from pharo_mcp.tools.wording import count, indented, part_line


@tool(
    "debug",
    schema_of_arguments(
        ("evaluation_id",),
        evaluation_id=string("Id of the paused evaluation or of the window."),
        frame=integer("Frame to show; omit for the stack.", minimum=1),
    ),
    READS,
)
def debug_show(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> ToolResult | Iterator[str]:
    """Show the stack of a paused evaluation or of a debugger window, or a frame with its source and
    variables.
    """
    evaluation_id = arguments["evaluation_id"]
    if "frame" not in arguments:
        return result_of(image, lambda: image.ask(endpoints.STACK, evaluation=evaluation_id))
    return _frame_lines(image.ask(endpoints.FRAME, evaluation=evaluation_id, frame=arguments["frame"]))


def _frame_lines(shown: PausedFrame) -> Iterator[str]:
    """Yield the source with a mark at the current line, then the variables."""
    yield f"Frame {shown.frame} of {shown.frame_count}: {shown.method}"
    if shown.statement is not None:
        yield f"Line {shown.line}, column {shown.column}: {' '.join(shown.statement.split())}"
    yield ""
    if shown.source is None:
        yield "Its source is not available."
    else:
        for number, line in enumerate(shown.source.splitlines(), 1):
            yield f"{'->' if number == shown.line else '  '} {line}"
    yield ""
    yield from map(part_line, shown.variables)
    if shown.receiver_variables:
        yield "Instance variables of the receiver:"
        yield from indented(map(part_line, shown.receiver_variables))


@tool(
    "debug",
    schema_of_arguments(
        ("evaluation_id", "action"),
        evaluation_id=string("Id of the paused evaluation."),
        action=choice(
            "`return` gives value to the sender, `retry` starts again, `create_method` makes what was not "
            "understood and enters it.",
            "into",
            "over",
            "out",
            "to_line",
            "restart",
            "return",
            "proceed",
            "retry",
            "create_method",
        ),
        frame=integer("Frame to step in.", minimum=1, default=1),
        value={
            **string(
                "Expression to return or proceed with; the line for to_line; the body for create_method, "
                "with arguments named after their classes: aString, aString2, anInteger, aBlock."
            ),
            "type": ["string", "integer"],
        },
        class_name=string(
            "For create_method: superclass that gets the method; default: the receiver's class."
        ),
    ),
    ANYTHING,
)
def debug_step(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> ToolResult:
    """Move a paused evaluation on. After edit_code, restart runs the new method."""
    options = dict(arguments)
    if "value" in options:
        options["value"] = str(options["value"])
    if options["action"] == "to_line":
        options |= {"action": "line", "line": _line_in(options.pop("value", ""))}
    asker = asker_of(call, image.questions)
    if call.evaluation:  # the step was made already, and what it asked is answered now
        return result_of(image, partial(image.follow, call.evaluation, WAIT_SECONDS, asker=asker))
    return result_of(image, partial(image.step, **options, asker=asker))


def _line_in(value: str) -> int:
    if not value.isdecimal() or int(value) == 0:
        raise ToolError(
            "to_line needs value, the number of a line of the source, such as 3. Nothing ran.", "badRequest"
        )
    return int(value)


@tool(
    "debug",
    schema_of_arguments(
        class_name=string("Class; omit to list all."),
        selector=SELECTOR,
        side=SIDE,
        line=integer("Line to pause before.", minimum=1),
        condition=string("Expression that must be true."),
        remove=flag("Remove breakpoints.", default=False),
    ),
    {"destructiveHint": False},
)
def set_breakpoint(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> Iterator[str]:
    """Let evaluations with on_error pause stop in a method."""
    if ("class_name" in arguments) != ("selector" in arguments):
        raise ToolError("A breakpoint needs class_name and selector. Nothing was changed.", "badRequest")
    if "class_name" not in arguments and arguments.keys() & {"side", "line", "condition"}:
        raise ToolError("A breakpoint needs class_name and selector. No breakpoint was set.", "badRequest")
    found = image.ask(endpoints.BREAKPOINTS, **arguments)
    if arguments["remove"]:
        yield f"Removed breakpoints: {found.removed}."
    elif "class_name" in arguments:
        yield "The breakpoint is set. Only evaluations and tests with on_error pause will pause there."
    yield "Breakpoints:" if found.breakpoints else "Breakpoints: none."
    yield from indented(map(_breakpoint_line, found.breakpoints))


def _breakpoint_line(each: Breakpoint) -> str:
    method = method_name(each.class_name, each.side, each.selector)
    condition = f", if {' '.join(each.condition.split())}" if each.condition else ""
    gone = "; gone: the method was compiled again" if each.gone else ""
    return f"{method}, line {each.line}: {each.source_line} [{count(each.hits, 'hit')}{condition}{gone}]"
