"""`pharo-mcp call`: call a tool from a terminal."""

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from .calling import open_image
from .output import print_result


def run(options: Mapping[str, Any]) -> int:
    """Call the tool and print its result."""
    try:
        texts = dict(pairs(options["arguments"]))
        with open_image(options) as call_tool:
            result = call_tool(options["tool"], lambda schema: parse(texts, schema))
            return print_result(result, as_json="json" in options)
    except ValueError as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 2


def pairs(arguments: Iterable[str]) -> Iterable[tuple[str, str]]:
    """Split each argument at its first `=` into a name and a value."""
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not equals or not name:
            raise ValueError(f"invalid argument {argument}: use key=value")
        yield name, value


def parse(texts: Mapping[str, str], schema: Mapping[str, Any]) -> dict[str, object]:
    """Convert texts to the types in a schema: strings stay as they are, other types are read as JSON."""
    properties = schema.get("properties", {})
    return {name: _value(text, properties.get(name, {}).get("type")) for name, text in texts.items()}


def _value(text: str, expected_type: object) -> object:
    if expected_type == "string":
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text  # the schema check reports the error
