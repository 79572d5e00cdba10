"""Printing results in a terminal."""

import json
import sys
from collections.abc import Sequence

from pharo_mcp.protocol import NEWEST_LEGACY, Content, ImageContent, OtherContent, ToolResult


def print_result(result: ToolResult, *, as_json: bool) -> int:
    """Print the result of a tool, errors on standard error; return the exit status."""
    if as_json:
        print(json.dumps(result.encode(NEWEST_LEGACY)))
    else:
        texts = map(_text, result.contents)
        print("\n\n".join(texts), file=sys.stderr if result.is_error else sys.stdout)
    return 1 if result.is_error else 0


def _text(content: Content) -> str:
    match content:
        case ImageContent(base64, mime_type):
            return f"[{mime_type}, {len(base64) * 3 // 4:,} bytes: use --json to get it]"
        case OtherContent(members):
            return f"[{members['type']}: use --json to get it]"
    return content.text


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows in columns, below their headings."""
    widths = [max(map(len, column)) for column in zip(headings, *rows, strict=True)]
    for row in (headings, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
