"""Tool `list_changes`: list the changes made through these tools."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.changes import Change, ChangeLog
from pharo_mcp.image.replies.shapes import schema_of, write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.protocol.tools import Tool, ToolResult

from .declaration import CURSOR, READS, flag, integer, schema_of_arguments
from .text.paging import offset_in, rest_after
from .text.wording import bounded, count, in_protocol

MADE_BY = {
    "/class/rename": "refactor",
    "/evaluate": "evaluate",
    "/load": "load_project",
    "/code/edit": "edit_code",
    "/method/move": "refactor",
    "/method/rename": "refactor",
    "/package/import": "import_package",
    "/tests": "run_tests",
    "/undo": "undo_change",
}
"""The tool that makes each kind of request; the log of the image names the request."""

CHANGES = "pharo://changes (the newest changes)"
"""The resource that has whole sources, and which changes it lists."""

LONGEST_PAGE = 20_000
"""Characters after which a page of changes with details ends; a single change is never cut for it."""

NOTHING_IN_EFFECT = "Nothing is in effect: the code is as it was when the session began."

DESCRIPTION = "List the code changes made through these tools, evaluate included, newest first."


def list_changes_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def list_changes(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        offset = offset_in(arguments)
        log = image.changes.log(offset, arguments.get("limit"), arguments["details"])
        page = log._replace(changes=tuple(_as_many_as_fit(log.changes)))
        text = "\n".join(_lines(page, offset, is_cut=len(page.changes) < len(log.changes)))
        return ToolResult.from_text(text, write(page))

    return Tool(
        name="list_changes",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(
            details=flag("Include the source before and after.", default=False),
            cursor=CURSOR,
            limit=integer("Changes per page; default: 50."),
        ),
        handler=list_changes,
        annotations=READS,
        output_schema=Schema(schema_of(ChangeLog)) if structured else None,
    )


def _as_many_as_fit(changes: Sequence[Change]) -> Iterator[Change]:
    """Yield the changes that fit on a page, at least one, with their sources bounded."""
    room = LONGEST_PAGE
    for change in map(_bounded, changes):
        room -= sum(map(len, _entry([change])))
        if room < 0 and change.change != changes[0].change:
            return
        yield change


def _bounded(change: Change) -> Change:
    return change._replace(
        before=change.before and bounded(change.before, CHANGES),
        after=change.after and bounded(change.after, CHANGES),
    )


def _lines(log: ChangeLog, offset: int, *, is_cut: bool) -> Iterator[str]:
    if not log.total:
        yield "These tools have changed no code in this image."
        return
    yield f"{count(log.total, 'change')}, newest first:"
    if log.in_effect == 0:
        yield "None of them is in effect: they are undone." if log.dropped else NOTHING_IN_EFFECT
    is_older = False
    for number, together in groupby(log.changes, key=lambda change: change.change):
        if log.opened_after and number <= log.opened_after and not is_older:
            is_older = True
            yield "Made before the image was opened, and saved with it; undo_change can undo these, too:"
        yield from _entry(list(together))
    if is_cut:
        yield "This page ends early because its sources are long."
    if rest := rest_after(offset, len(log.changes), log.total):
        yield rest
    if log.dropped:
        yield f"Older changes that are no longer kept: {log.dropped:,}."


def _entry(changes: Sequence[Change]) -> Iterator[str]:
    """Yield an entry of the log: a change, or those that were made, and are undone, as one."""
    first, *others = changes
    tool = MADE_BY.get(first.tool, first.tool)
    # The image marks what an undo did as undone, since it cannot be undone; that would read as taken back.
    undone = " (undone)" if first.undone and tool != "undo_change" else ""
    made = f"by {tool} at {first.at[:19]}{undone}"
    if not others:
        yield f"    {first.change}: {first.action} {first.subject}, {made}"
        yield from _sources(first)
        return
    yield f"    {first.change}: {count(len(changes), 'part')}, {made}"
    for each in changes:
        yield f"        {each.action} {each.subject}"
        yield from _sources(each)


def _sources(change: Change) -> Iterator[str]:
    for when, protocol, source in (
        ("before", change.protocol_before, change.before),
        ("after", change.protocol_after, change.after),
    ):
        if source is not None:
            yield f"        {when}{f', {in_protocol(protocol)}' if protocol else ''}:"
            yield from (f"            {line}" if line else "" for line in source.splitlines())
