"""Tool `evaluate`: run Smalltalk in the image."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image import LONGEST_LIMIT, LONGEST_WAIT, WAIT, ImageClient
from pharo_mcp.protocol import Call, Tool, ToolResult

from .arguments import arguments, choice, integer, seconds, text
from .outcomes import outcome_schema, result_of_new

DESCRIPTION = """\
Run Smalltalk in the live image; the last value is answered as it prints. Change code with define_class and \
compile_method instead. Undeclared variables live on in the workspace. For long work raise timeout_seconds; \
over 40 seconds, get_evaluation waits."""

EXPRESSION = text(
    "Statements.",
    maxLength=600_000,  # however they are escaped, the image takes them
)
OPTIONS = {
    "wait_seconds": seconds("Then the call answers.", minimum=0, maximum=LONGEST_WAIT, default=WAIT),
    "max_characters": integer("To answer.", minimum=1, maximum=200_000, default=10_000),
    "workspace": text("Keeps the variables.", default="default"),
    "receiver": text("object_id to be `self`."),
    "process": choice("`ui`: to open windows.", "background", "ui", default="background"),
    "on_error": choice("`debug`: open a debugger.", "report", "debug", default="report"),
}


def evaluate_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""
    limit = seconds("Then it is ended.", exclusiveMinimum=0, maximum=LONGEST_LIMIT, default=image.limit)
    properties = {"expression": EXPRESSION, "timeout_seconds": limit, **OPTIONS}

    def evaluate(given: Mapping[str, Any], call: Call) -> ToolResult:
        # The image has the same defaults, and what it is not told it need not read.
        told = {name: word for name, word in given.items() if word != properties[name].get("default")}
        return result_of_new(
            image, call, lambda evaluation, tell: image.evaluate(**told, evaluation=evaluation, tell=tell)
        )

    return Tool(
        name="evaluate",
        title="Evaluate Smalltalk",
        description=DESCRIPTION,
        input_schema=arguments(("expression",), **properties),
        handler=evaluate,
        annotations={
            "readOnlyHint": False,
            "destructiveHint": True,
            "openWorldHint": True,
        },
        output_schema=outcome_schema() if structured else None,
    )
