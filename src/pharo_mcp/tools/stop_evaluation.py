"""Tool `stop_evaluation`: stop an evaluation."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image import ImageClient, Stopped, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolError, ToolResult, always_quick

from .declaration import DESTROYS, flag, schema_of_arguments, string

DESCRIPTION = "Stop an evaluation or tests. What they have done is not undone."

ARGUMENTS = schema_of_arguments(
    evaluation_id=string("Id from the earlier call."),
    all=flag("Stop all evaluations.", default=False),
)


def stop_evaluation_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def stop_evaluation(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        evaluation_id = arguments.get("evaluation_id")
        if (evaluation_id is None) != arguments["all"]:
            raise ToolError(
                "stop_evaluation needs either evaluation_id or all: true. Nothing was stopped.", "badRequest"
            )
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
        is_quick=always_quick,
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
