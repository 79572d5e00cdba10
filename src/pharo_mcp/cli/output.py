"""Printing results in a terminal."""

import sys
from collections.abc import Sequence

from pharo_mcp import strict_json
from pharo_mcp.image.errors.base import to_the_user
from pharo_mcp.image.errors.smalltalk_error import FATES
from pharo_mcp.protocol.revisions import NEWEST_LEGACY
from pharo_mcp.protocol.tools import (
    Content,
    ImageContent,
    OtherContent,
    ResourceLink,
    TextContent,
    ToolResult,
)

SEVERAL_IMAGES = "severalImages"
"""The kind of the error that several images are live, and none was chosen."""
SHELL_HINTS = {
    SEVERAL_IMAGES: "Choose one with --image NAME, or with --url URL (`pharo-mcp images` lists them)."
}
"""The last line of an error by its kind, where it names a tool that only a model can call."""


def print_result(result: ToolResult, *, as_json: bool) -> int:
    """Print the result of a tool, errors on standard error; return the exit status.

    As JSON, an error is printed on standard output, and has its kind and details as `error`.
    """
    text = text_of(result)
    if as_json:
        error = {"error": {**result.error, "message": text}} if result.error else {}
        print_json({**result.encode(NEWEST_LEGACY), **error})
    else:
        print(text, file=sys.stderr if result.is_error else sys.stdout)
    return int(result.is_error)


def text_of(result: ToolResult) -> str:
    """The contents of a result as text for a person."""
    text = "\n\n".join(map(_text, result.contents))
    kind = str(result.error["kind"]) if result.error else None
    if kind is None or kind in FATES:
        return text
    if hint := SHELL_HINTS.get(kind):
        text = "\n".join([*text.splitlines()[:-1], hint])
    return to_the_user(text)


def _text(content: Content) -> str:
    match content:
        case ImageContent(base64, mime_type):
            return f"[{mime_type}, {len(base64) * 3 // 4:,} bytes: --output writes it to a file]"
        case OtherContent(members):
            return f"[{members['type']}: use --json to get it]"
        case ResourceLink(uri):
            return f"[{uri}]"
        case TextContent(text):
            return text


def print_json(value: object) -> None:
    """Print a value as one line of JSON, at once."""
    print(strict_json.write(value), flush=True)


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns, below their headings."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
