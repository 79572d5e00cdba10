"""Phrases that several tools use for the same things, and pages of long results."""

import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any
from urllib.parse import quote

from pharo_mcp.image.hints import usable
from pharo_mcp.image.replies.evaluations import Part
from pharo_mcp.image.replies.image import Busy
from pharo_mcp.protocol.catalog import ToolError

LONGEST_TEXT = 9_000
"""Characters of a result unless the caller wants more, with what is said beside them in less than 10 KB."""
LONGEST_ASKED = 200_000
"""Characters of the longest result that a caller can ask for."""
LONGEST_ECHO = 100
"""Characters of an argument that a result repeats."""


def count(number: int, noun: str, plural: str | None = None) -> str:
    """Return a number with its noun: `1 class`, `2 classes`."""
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def listed(
    names: Sequence[str], most: int = sys.maxsize, separator: str = ", ", total: int | None = None
) -> str:
    """Return names in a line; of many the first, and how many more there are, of `total` in all."""
    more = (total or len(names)) - len(names[:most])
    return separator.join(names[:most]) + (f", … and {more:,} more" if more > 0 else "")


def indented(lines: Iterable[object], more: int = 0) -> Iterator[str]:
    """Yield lines below a heading, and how many more there are."""
    yield from (f"    {line}".rstrip() for line in lines)
    if more > 0:
        yield f"    … and {more:,} more"


def how_many_fit(texts: Iterable[str]) -> int:
    """Return how many of these texts fit into a result."""
    return sum(end <= LONGEST_TEXT for end in accumulate(map(len, texts)))


def ranges(numbers: Iterable[int]) -> str:
    """Return numbers in compact form, in which a dash stands for those between."""
    runs: list[list[int]] = []
    for number in sorted(numbers):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return ", ".join(str(first) if first == last else f"{first}\N{EN DASH}{last}" for first, last in runs)


def changes_made(changes: Sequence[int]) -> Iterator[str]:
    """Yield the numbers of the changes that a call made, if it made any.

    The instructions of a session say what undoes them.
    """
    if changes:
        yield f"Change{'s' if len(changes) > 1 else ''} {ranges(changes)}."


def warned(warnings: Sequence[str], most: int = sys.maxsize) -> Iterator[str]:
    """Yield the warnings under a heading, if there are any; of many the first, and how many more."""
    if warnings:
        yield "Warnings:"
        yield from indented(map(usable, warnings[:most]), len(warnings) - most)


def busy_lines(busy: Busy) -> Iterator[str]:
    """Yield which process keeps evaluations from running, and the top of its stack."""
    whose = f", for evaluation {busy.work}," if busy.work else ""
    yield (
        f"No evaluation can run: process {busy.process} (priority {busy.priority}){whose} has kept the image "
        f"busy for {busy.seconds:.0f} seconds. Its stack:"
    )
    yield from indented(busy.stack)


def part_line(part: Part) -> str:
    """Return one variable or element: its label, print string, class and id."""
    label = next(str(each) for each in (part.name, part.index_, part.key, "?") if each is not None)
    object_id = f", {part.object_id}" if part.object_id else ""
    return f"{label}: {part.print_string} ({part.class_name}{object_id})"


def bounded(text: str, uri: str, longest: int = LONGEST_TEXT) -> str:
    """Return a text; of a long one its beginning, its length, and the resource that has all of it."""
    if len(text) <= longest:
        return text
    part = f"Characters 1 to {longest:,} of {len(text):,}. The resource {uri} has all of it."
    return f"{text[:longest]}\n\n{part}"


def class_uri(class_name: str) -> str:
    """Return the URI of the resource of a class or trait."""
    return f"pharo://class/{quote(class_name, safe=':')}"


def method_uri(class_name: str, side: str | None, selector: str) -> str:
    """Return the URI of the resource of a method."""
    of_class_side = "/class" if side == "class" else ""
    return f"{class_uri(class_name)}{of_class_side}/method/{quote(selector, safe=':')}"


def shortened(text: str, longest: int) -> str:
    """Return a text; of a long one the beginning."""
    return text if len(text) <= longest else f"{text[:longest]}…"


def echo(argument: str) -> str:
    """Return an argument to be repeated in a result; of a long one the beginning."""
    return shortened(argument, LONGEST_ECHO)


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


def rest_after(offset: int, shown: int, total: int, what: str = "more") -> str | None:
    """Return a line on what follows a page; None if the page is the last one."""
    if offset >= total:
        return "There are no more pages." if offset and total else None
    end = offset + shown
    return f"{total - end:,} {what}; next_cursor: p{end}" if shown and end < total else None


def part_of(
    offset: int, shown: int, length: int, evaluation_id: str | None, *, at_least: bool = False
) -> str:
    """Return a line on which part of a result is shown, and how to read the rest."""
    end = offset + shown
    whole = f"at least {length:,} (printing was stopped there)" if at_least else f"{length:,}"
    part = f"Characters {offset + 1:,} to {end:,} of {whole}."
    if end >= length or evaluation_id is None:
        return part
    return usable(
        f"{part} For the rest, call get_evaluation with evaluation_id {evaluation_id} and offset {end}. "
        f"The resource pharo://evaluation/{evaluation_id} has all of it."
    )
