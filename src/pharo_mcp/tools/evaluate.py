"""Tool `evaluate`: run Smalltalk in the image."""

import os
from collections.abc import Mapping
from typing import Any

from pharo_mcp.image import LIMIT, LONGEST_LIMIT, LONGEST_WAIT, WAIT, ImageClient
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .outcomes import OUTCOME, reporter, result_of

DESCRIPTION = """\
Evaluate Smalltalk in the live Pharo image and get the print string of the last statement's value.

Use it to compute, to try code, and to ask the image about itself: whatever can be written in a Pharo \
Playground, with temporaries and several statements. It runs with all the rights of the image and can \
change it: objects, classes, files. Variables that are assigned without being declared live on in the \
workspace: after `x := 3`, the next evaluation may say `x + 1`.

If the code signals an exception, does not compile, halts, asks the user something or takes too long, \
the result is an error that names the cause in its first line, with receiver, selector and stack; what \
it had done stays done. What it wrote to the Transcript follows in a block of its own. A value that is no \
literal gets an object_id, for inspect_object or as receiver of another evaluation.

For work of more than 40 seconds give a long timeout_seconds: the call then answers with an evaluation_id \
while the image works on, get_evaluation waits for the value, and stop_evaluation ends it."""

PROPERTIES: Mapping[str, Mapping[str, object]] = {
    "expression": {
        "type": "string",
        "maxLength": 600_000,  # however they are escaped, the image takes them
        "description": "Smalltalk source: one or more statements. The value of the last one counts.",
    },
    "timeout_seconds": {
        "type": "number",
        "exclusiveMinimum": 0,
        "maximum": LONGEST_LIMIT,
        "default": LIMIT,
        "description": "Seconds after which the image ends the evaluation.",
    },
    "wait_seconds": {
        "type": "number",
        "minimum": 0,
        "maximum": LONGEST_WAIT,
        "default": WAIT,
        "description": "Seconds to wait for the value; after that the call answers an evaluation_id.",
    },
    "max_characters": {
        "type": "integer",
        "minimum": 1,
        "maximum": 200_000,
        "default": 10_000,
        "description": "Characters of the print string to answer; the rest can be read later.",
    },
    "workspace": {
        "type": "string",
        "default": "default",
        "description": "Name of the workspace that keeps the variables.",
    },
    "receiver": {
        "type": "string",
        "description": "object_id of an earlier result to be `self`; nil without.",
    },
    "process": {
        "type": "string",
        "enum": ["background", "ui"],
        "default": "background",
        "description": "`ui` for code that must run in the user interface process, such as opening "
        "windows; it holds the user interface up while it runs.",
    },
    "on_error": {
        "type": "string",
        "enum": ["report", "debug"],
        "default": "report",
        "description": "`debug` leaves a debugger open in the image, for its user, on an exception.",
    },
}
ARGUMENTS = Schema(
    {
        "type": "object",
        "properties": PROPERTIES,
        "required": ["expression"],
        "additionalProperties": False,
    }
)


def evaluate_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def evaluate(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        evaluation = f"e-{os.urandom(6).hex()}"  # ours, so that it can be stopped before the image answers
        call.on_cancel(lambda: image.cancel(evaluation))
        # The image has the same defaults, and what it is not told it need not read.
        told = {name: word for name, word in arguments.items() if word != PROPERTIES[name].get("default")}
        return result_of(image, lambda: image.evaluate(**told, evaluation=evaluation, tell=reporter(call)))

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
        output_schema=OUTCOME if structured else None,
    )
