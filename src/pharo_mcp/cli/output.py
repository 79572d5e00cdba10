"""Results as a terminal shows them."""

import json
import sys
from collections.abc import Sequence

from pharo_mcp.protocol import NEWEST_LEGACY, Content, ImageContent, OtherContent, ToolResult


def print_result(result: ToolResult, *, as_json: bool) -> int:
    """Print what a tool answered, an error on standard error; the exit status."""
    if as_json:
        print(json.dumps(result.encode(NEWEST_LEGACY)))
    else:
        texts = map(_text, result.contents)
        print("\n\n".join(texts), file=sys.stderr if result.is_error else sys.stdout)
    return 1 if result.is_error else 0


def _text(content: Content) -> str:
    match content:
        case ImageContent(base64, mime_type):
            return f"[a picture: {mime_type}, {len(base64) * 3 // 4:,} bytes; --json has it]"
        case OtherContent(members):
            return f"[{members['type']}; --json has it]"
    return content.text


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows below their heads, in columns."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    for row in (heads, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
