"""Tool `stop_evaluation`: end what runs in the image."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image import ImageClient, Stopped, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolError, ToolResult, always

DESCRIPTION = """\
End an evaluation that runs in the live Pharo image, by its evaluation_id, or all of them with all: true.

Use it for what runs too long; get_status lists what runs. What the code had done until then stays done. \
Stopping what is over changes nothing."""

ARGUMENTS = Schema(
    {
        "type": "object",
        "properties": {
            "evaluation_id": {
                "type": "string",
                "description": "The id, from evaluate or get_status.",
            },
            "all": {
                "type": "boolean",
                "default": False,
                "description": "End every evaluation, also those that others asked for.",
            },
        },
        "additionalProperties": False,
    }
)


def stop_evaluation_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def stop_evaluation(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        evaluation = arguments.get("evaluation_id")
        if (evaluation is None) != arguments["all"]:
            raise ToolError("Nothing was stopped: give either evaluation_id or all: true.", "badRequest")
        stopped = image.stop(evaluation)
        return ToolResult.from_text(_text(stopped), write(stopped))

    return Tool(
        name="stop_evaluation",
        title="Stop an evaluation",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=stop_evaluation,
        annotations={
            "readOnlyHint": False,
            "destructiveHint": True,
            "idempotentHint": True,
            "openWorldHint": False,
        },
        output_schema=Schema(schema_of(Stopped)) if structured else None,
        is_quick=always,
    )


def _text(stopped: Stopped) -> str:
    lines = []
    if stopped.stopped:
        lines.append(f"Stopped: {', '.join(stopped.stopped)}. What was done until then stays done.")
    if stopped.frozen:
        lines.append(
            f"Could not be ended and was frozen: {', '.join(stopped.frozen)}. "
            "It runs no more, but may hold locks until the image is started again."
        )
    return "\n".join(lines) or "Nothing was running under that id, so nothing changed."
