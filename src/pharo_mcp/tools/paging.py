"""Pages of long answers, and the cursors that lead from one to the next."""

import re
from collections.abc import Mapping
from typing import Any

from pharo_mcp.protocol import ToolError

from .wording import echo


def offset_in(arguments: Mapping[str, Any]) -> int:
    """Where a page begins, by the cursor among a tool's arguments; 0 without one.

    Raises:
        ToolError: If it is none of ours.
    """
    cursor = arguments.get("cursor")
    if cursor is None:
        return 0
    found = re.fullmatch(r"p([0-9]{1,9})", cursor)
    if found is None:
        raise ToolError(
            f"The cursor {echo(cursor)} is unknown. "
            "Leave it out for the first page, which tells the next cursor.",
            "badRequest",
        )
    return int(found[1])


def rest_after(offset: int, shown: int, total: int) -> str | None:
    """How to get the next page, if there is one, or that a page is behind the last one."""
    if offset >= total:
        return "This is behind the last page." if offset and total else None
    end = offset + shown
    return f"{total - end:,} more; next cursor: p{end}" if shown and end < total else None


def part_of(offset: int, shown: int, length: int, evaluation: str | None, *, at_least: bool = False) -> str:
    """Which part of what came of an evaluation is shown, and how to read on, if there is more of it."""
    end = offset + shown
    whole = f"at least {length:,} (printing was stopped there)" if at_least else f"{length:,}"
    part = f"Characters {offset + 1:,} to {end:,} of {whole}."
    if end >= length or evaluation is None:
        return part
    return (
        f"{part} For the rest call get_evaluation with evaluation_id {evaluation} and offset {end}, "
        f"or read the resource pharo://evaluation/{evaluation}."
    )
