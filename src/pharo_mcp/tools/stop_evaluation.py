"""Tool `stop_evaluation`: stop an evaluation."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.evaluation import Stopped
from pharo_mcp.image.replies.shapes import schema_of, write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.protocol.tools import Tool, ToolError, ToolResult

from .declaration import DESTROYS, flag, schema_of_arguments, string

DESCRIPTION = "Stop an evaluation or tests, or interrupt what blocks them. What was done is not undone."

ARGUMENTS = schema_of_arguments(
    evaluation_id=string("Id from the earlier call."),
    all=flag("Stop all evaluations.", default=False),
    interrupt=flag(
        "Suspend the other process that keeps the image busy, as the user can with Cmd-.", default=False
    ),
)


def stop_evaluation_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def stop_evaluation(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        evaluation_id = arguments.get("evaluation_id")
        if [evaluation_id is not None, arguments["all"], arguments["interrupt"]].count(True) != 1:
            raise ToolError(
                "stop_evaluation needs one of evaluation_id, all: true and interrupt: true. Nothing was "
                "stopped.",
                "badRequest",
            )
        if arguments["interrupt"]:
            stopped = image.interrupt()
            return ToolResult.from_text(_interrupted(stopped), write(stopped))
        stopped = image.stop(evaluation_id)
        if call.client:
            for each in stopped.stopped:
                call.client.withdraw(each)
        return ToolResult.from_text(_text(stopped, evaluation_id), write(stopped))

    return Tool(
        name="stop_evaluation",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=stop_evaluation,
        annotations=DESTROYS,
        output_schema=Schema(schema_of(Stopped)) if structured else None,
    )


def _interrupted(stopped: Stopped) -> str:
    if stopped.interrupted is None:
        return (
            "Nothing was interrupted: no process keeps evaluations from running, or it is one of theirs. "
            "stop_evaluation stops that by its id."
        )
    return (
        f"Interrupted: {stopped.interrupted}. The process is suspended, not ended. If the image has windows, "
        "a debugger is open on it there, and the user interface goes on in a new process."
    )


def _text(stopped: Stopped, evaluation_id: str | None) -> str:
    lines = []
    if stopped.stopped:
        lines.append(f"Stopped: {', '.join(stopped.stopped)}. What was done until then is not undone.")
    if stopped.frozen:
        lines.append(
            "Stopped in the middle of its ensure: blocks, because it could not be terminated: "
            f"{', '.join(stopped.frozen)}. "
            "It no longer runs, but may hold locks until the image is restarted."
        )
    which = "with that id " if evaluation_id else ""
    return "\n".join(lines) or f"No evaluation {which}was running. Nothing was stopped."
