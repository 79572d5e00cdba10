"""Tool `stop_evaluation`: end what runs in the image."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image import ImageClient, Stopped, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolError, ToolResult, always

from .arguments import arguments, flag, text
from .hints import DESTROYS

DESCRIPTION = "End an evaluation or tests. What was done stays done."

ARGUMENTS = arguments(
    evaluation_id=text("As answered."),
    all=flag("End all that run.", default=False),
)


def stop_evaluation_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def stop_evaluation(given: Mapping[str, Any], call: Call) -> ToolResult:
        evaluation = given.get("evaluation_id")
        if (evaluation is None) != given["all"]:
            raise ToolError("Nothing was stopped: give either evaluation_id or all: true.", "badRequest")
        stopped = image.stop(evaluation)
        return ToolResult.from_text(_text(stopped, evaluation), write(stopped))

    return Tool(
        name="stop_evaluation",
        title="Stop an evaluation",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=stop_evaluation,
        annotations=DESTROYS,
        output_schema=Schema(schema_of(Stopped)) if structured else None,
        is_quick=always,
    )


def _text(stopped: Stopped, evaluation: str | None) -> str:
    lines = []
    if stopped.stopped:
        lines.append(f"Stopped: {', '.join(stopped.stopped)}. What was done until then stays done.")
    if stopped.frozen:
        lines.append(
            f"Could not be ended and was frozen: {', '.join(stopped.frozen)}. "
            "It runs no more, but may hold locks until the image is started again."
        )
    where = " under that id" if evaluation else ""
    return "\n".join(lines) or f"Nothing was running{where}, so nothing changed."
