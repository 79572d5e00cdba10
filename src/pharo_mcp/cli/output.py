"""Results as a terminal shows them."""

import json
import sys
from collections.abc import Sequence

from pharo_mcp.protocol import NEWEST_LEGACY, ImageContent, ToolResult


def print_result(result: ToolResult, *, as_json: bool) -> int:
    """Print what a tool answered, an error on standard error; the exit status."""
    if as_json:
        print(json.dumps(result.encode(NEWEST_LEGACY)))
    else:
        texts = [
            f"[a picture: {content.mime_type}, {len(content.base64) * 3 // 4:,} bytes; --json has it]"
            if isinstance(content, ImageContent)
            else content.text
            for content in result.contents
        ]
        print("\n\n".join(texts), file=sys.stderr if result.is_error else sys.stdout)
    return 1 if result.is_error else 0


def print_table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows below their heads, in columns."""
    widths = [max(map(len, column)) for column in zip(heads, *rows, strict=True)]
    for row in (heads, *rows):
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
