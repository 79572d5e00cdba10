"""Tool `evaluate`: run Smalltalk in the image."""

from collections.abc import Mapping
from typing import cast

from pharo_mcp.image import LIMIT, Evaluation, ImageClient, Running, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

DESCRIPTION = """\
Evaluate Smalltalk in the live Pharo image and get the print string of the last statement's value.

Use it to compute, to try code, and to ask the image about itself: whatever can be written in a Pharo \
Playground, with temporaries and several statements. It runs with all the rights of the image and can \
change it: objects, classes, files.

If the code signals an exception, does not compile, halts, asks the user something or takes too long, \
the result is an error that names the cause in its first line, with receiver, selector and stack."""

ARGUMENTS = Schema(
    {
        "type": "object",
        "properties": {
            "expression": {
                "type": "string",
                "description": "Smalltalk source: one or more statements. The value of the last one counts.",
            },
            "timeout_seconds": {
                "type": "number",
                "exclusiveMinimum": 0,
                "maximum": 40,
                "default": LIMIT,
                "description": "Seconds after which the image ends the evaluation.",
            },
        },
        "required": ["expression"],
        "additionalProperties": False,
    }
)


def evaluate_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def evaluate(arguments: Mapping[str, object], call: Call) -> ToolResult:
        expression = cast(str, arguments["expression"])
        evaluation = image.evaluate(expression, cast(float, arguments["timeout_seconds"]))
        if isinstance(evaluation, Running):
            raise NotImplementedError
        return ToolResult.from_text(_text(evaluation), write(evaluation))

    return Tool(
        name="evaluate",
        title="Evaluate Smalltalk",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=evaluate,
        annotations={
            "readOnlyHint": False,
            "destructiveHint": True,
            "idempotentHint": False,
            "openWorldHint": True,
        },
        output_schema=Schema(schema_of(Evaluation)) if structured else None,
    )


def _text(evaluation: Evaluation) -> str:
    if not evaluation.warnings:
        return evaluation.print_string
    return "\n".join((evaluation.print_string, "", "Warnings:", *evaluation.warnings))
