"""`pharo-mcp call`: call a tool from a terminal."""

import sys
from base64 import b64decode
from collections.abc import Mapping, Sequence
from typing import Any

from pharo_mcp import strict_json
from pharo_mcp.protocol.tools import ImageContent, TextContent, ToolResult

from .calling import open_image, standard_input
from .output import print_result, text_of


class Text(str):
    """The value of a `key=value`: the schema of the tool says which type it has."""


def run(options: Mapping[str, Any]) -> int:
    """Call the tool and print its result."""
    try:
        given = read(options["arguments"])
        with open_image(options) as call_tool:
            result = call_tool(options["tool"], lambda schema: convert(given, schema))
            if "output" in options and not result.is_error:
                result = save_picture(result, options["output"])
            return print_result(result, as_json="json" in options)
    except (OSError, ValueError) as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 2


def save_picture(result: ToolResult, path: str) -> ToolResult:
    """Write the picture of a result into a file; return the result with a sentence in its place.

    Raises:
        ValueError: If the result has no picture.
        OSError: If the file cannot be written.
    """
    pictures = [content for content in result.contents if isinstance(content, ImageContent)]
    if not pictures:
        raise ValueError(f"the result has no picture, so {path} was not written:\n{text_of(result)}")
    with open(path, "wb") as file:
        size = file.write(b64decode(pictures[0].base64))
    said = TextContent(f"The picture ({pictures[0].mime_type}, {size:,} bytes) was written to {path}.")
    return result._replace(
        contents=tuple(said if content is pictures[0] else content for content in result.contents)
    )


def read(words: Sequence[str]) -> dict[str, object]:
    """Return the arguments in words: `key=value`, JSON objects, and `-` for one on standard input.

    Raises:
        ValueError: If a word is none of these, or gives an argument again.
    """
    arguments: dict[str, object] = {}
    for word in words:
        given = _arguments_in(word)
        if again := sorted(given.keys() & arguments.keys()):
            raise ValueError(f"{again[0]} is given twice: several values are a JSON array")
        arguments |= given
    return arguments


def _arguments_in(word: str) -> Mapping[str, object]:
    if word == "-":
        return _json_object(standard_input())
    if word.lstrip().startswith("{"):
        return _json_object(word)
    name, equals, value = word.partition("=")
    if not equals or not name:
        raise ValueError(f"invalid argument {word}: use key=value, or a JSON object in quotes")
    return {name: Text(value)}


def _json_object(text: str) -> Mapping[str, object]:
    try:
        value = strict_json.read(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"the arguments are not valid JSON ({error}): {text}") from error
    match value:
        case dict():
            return value
        case _:
            raise ValueError(f"the arguments are not a JSON object: {text}")


def convert(arguments: Mapping[str, object], schema: Mapping[str, Any]) -> dict[str, object]:
    """Return arguments whose texts have the types in a schema, where they can be read so."""
    properties = schema.get("properties", {})
    return {
        name: _value(value, properties.get(name, {})) if isinstance(value, Text) else value
        for name, value in arguments.items()
    }


def _value(text: str, schema: Mapping[str, Any]) -> object:
    """Strings stay as they are, other types are JSON; a text that is no JSON array is an array of one."""
    expected = schema.get("type")
    if expected == "string":
        return str(text)
    try:
        value = strict_json.read(text)
    except (ValueError, RecursionError):
        value = str(text)  # for other types than arrays, the check of the schema reports the error
    if expected == "array" and not isinstance(value, list):
        return [_value(text, schema.get("items", {}))]
    return value
