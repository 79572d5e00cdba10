"""`pharo-mcp call`: call a tool from a terminal."""

import json
import sys
from collections.abc import Iterable, Mapping
from typing import Any

from .calling import INTERRUPTED, calling
from .output import print_result


def run(options: Mapping[str, Any]) -> int:
    """Call the tool and print what it answers."""
    try:
        words = dict(pairs(options["arguments"]))
        with calling(options) as call:
            result = call(options["tool"], lambda schema: read(words, schema))
            return print_result(result, as_json="json" in options)
    except ValueError as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return INTERRUPTED


def pairs(arguments: Iterable[str]) -> Iterable[tuple[str, str]]:
    """What stands before and after the first `=` of each."""
    for argument in arguments:
        name, equals, value = argument.partition("=")
        if not equals or not name:
            raise ValueError(f"{argument} is no argument: write key=value")
        yield name, value


def read(words: Mapping[str, str], schema: Mapping[str, Any]) -> dict[str, object]:
    """The words as what a schema wants: text where it wants text, else JSON."""
    properties = schema.get("properties", {})
    return {name: _value(word, properties.get(name, {}).get("type")) for name, word in words.items()}


def _value(word: str, wanted: object) -> object:
    if wanted == "string":
        return word
    try:
        return json.loads(word)
    except ValueError:
        return word  # the schema says what is wrong with it
