"""`pharo-mcp eval`: evaluate Smalltalk from a terminal."""

import sys
from collections.abc import Mapping
from typing import Any

from pharo_mcp.times import WAIT_SECONDS

from .calling import CallTool, open_image, standard_input
from .output import print_result

MOST = 200_000
"""Characters of a value that are printed: a person asked, and an image keeps no more."""


def run(options: Mapping[str, Any]) -> int:
    """Print the value of an expression, and its Transcript output on standard error."""
    expression = standard_input() if options["expression"] == "-" else options["expression"]
    limit = {"timeout_seconds": options["timeout"]} if "timeout" in options else {}
    try:
        with open_image(options) as call_tool:
            return evaluate(
                call_tool,
                {"expression": expression, "max_characters": MOST, **limit},
                as_json="json" in options,
            )
    except ValueError as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 2


def evaluate(call_tool: CallTool, arguments: Mapping[str, object], *, as_json: bool) -> int:
    """Print the value once it is there: the time limit in the image bounds the wait."""
    result = call_tool("evaluate", arguments)
    while (outcome := result.structured or {}).get("running"):
        poll = {"evaluation_id": outcome["evaluation"], "wait_seconds": WAIT_SECONDS, "max_characters": MOST}
        result = call_tool("get_evaluation", poll)
    if as_json or result.is_error or "printString" not in outcome:
        return print_result(result, as_json=as_json)
    if "transcript" in outcome:
        print(outcome["transcript"], end="", file=sys.stderr)
    print(outcome["printString"])
    return 0
