"""`pharo-mcp eval`: evaluate Smalltalk from a terminal."""

import sys
from collections.abc import Mapping
from typing import Any

from .calling import INTERRUPTED, Calls, calling
from .output import print_result

SLICE = 40
"""Seconds that one look at a long evaluation waits."""


def run(options: Mapping[str, Any]) -> int:
    """Print the value of an expression; what it wrote to the Transcript goes to standard error."""
    expression = sys.stdin.read() if options["expression"] == "-" else options["expression"]
    limit = {"timeout_seconds": options["timeout"]} if "timeout" in options else {}
    try:
        with calling(options) as call:
            return evaluate(call, {"expression": expression, **limit}, as_json="json" in options)
    except ValueError as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED


def evaluate(call: Calls, arguments: Mapping[str, object], *, as_json: bool) -> int:
    """Wait for the value however long it takes: the image has its limit."""
    result = call("evaluate", arguments)
    while (outcome := result.structured or {}).get("running"):
        look = {"evaluation_id": outcome["evaluation"], "wait_seconds": SLICE}
        result = call("get_evaluation", look)
    if as_json or result.is_error or "printString" not in outcome:
        return print_result(result, as_json=as_json)
    if "transcript" in outcome:
        print(outcome["transcript"], end="", file=sys.stderr)
    print(outcome["printString"])
    return 0
