"""Pages of long results, and the cursors that lead from one page to the next."""

import re
from collections.abc import Mapping
from typing import Any

from pharo_mcp.protocol.tools import ToolError

from .wording import echo


def offset_in(arguments: Mapping[str, Any]) -> int:
    """Return the offset of the page that a tool's arguments ask for; 0 without a cursor.

    Raises:
        ToolError: If the cursor is not one that a page returned.
    """
    cursor = arguments.get("cursor")
    if cursor is None:
        return 0
    found = re.fullmatch(r"p([0-9]{1,9})", cursor)
    if found is None:
        raise ToolError(
            f"Unknown cursor {echo(cursor)}. Use the next_cursor of the previous page, or omit cursor "
            "for the first page.",
            "badRequest",
        )
    return int(found[1])


def rest_after(offset: int, shown: int, total: int) -> str | None:
    """Return a line on what follows a page; None if the page is the last one."""
    if offset >= total:
        return "There are no more pages." if offset and total else None
    end = offset + shown
    return f"{total - end:,} more; next_cursor: p{end}" if shown and end < total else None


def part_of(
    offset: int, shown: int, length: int, evaluation_id: str | None, *, at_least: bool = False
) -> str:
    """Return a line on which part of a result is shown, and how to read the rest."""
    end = offset + shown
    whole = f"at least {length:,} (printing was stopped there)" if at_least else f"{length:,}"
    part = f"Characters {offset + 1:,} to {end:,} of {whole}."
    if end >= length or evaluation_id is None:
        return part
    return (
        f"{part} For the rest, call get_evaluation with evaluation_id {evaluation_id} and offset {end}, "
        f"or read the resource pharo://evaluation/{evaluation_id}."
    )
