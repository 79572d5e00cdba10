"""Tool `list_changes`: what was changed in the image through these tools."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pharo_mcp.image import Change, ChangeLog, ImageClient, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .arguments import CURSOR, arguments, flag, integer
from .hints import READS
from .paging import offset_in, rest_after
from .wording import bounded, count, method_name

MADE_BY = {
    "/class/define": "define_class",
    "/class/remove": "remove_class",
    "/class/rename": "rename_class",
    "/evaluate": "evaluate",
    "/load": "load_project",
    "/method/compile": "compile_method",
    "/method/move": "move_method",
    "/method/remove": "remove_method",
    "/method/rename": "rename_method",
    "/package/import": "import_package",
    "/tests": "run_tests",
    "/undo": "undo_change",
}
"""The tools by what they ask of the image, which is what it knows of them."""

CHANGES = "pharo://changes (the newest changes)"
"""The resource that holds whole sources, and which changes it tells."""

LONGEST_PAGE = 20_000
"""Characters that end a page of changes with their details, which are never cut for it."""

DESCRIPTION = "List changes of code by these tools, evaluate included, newest first."


def list_changes_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def list_changes(given: Mapping[str, Any], call: Call) -> ToolResult:
        offset = offset_in(given)
        log = image.changes.log(offset, given.get("limit"), given["details"])
        page = log._replace(changes=tuple(_as_many_as_fit(log.changes)))
        text = "\n".join(_lines(page, offset, is_cut=len(page.changes) < len(log.changes)))
        return ToolResult.from_text(text, write(page))

    return Tool(
        name="list_changes",
        title="List changes",
        description=DESCRIPTION,
        input_schema=arguments(
            details=flag("Source before and after.", default=False),
            cursor=CURSOR,
            limit=integer("In a page."),
        ),
        handler=list_changes,
        annotations=READS,
        output_schema=Schema(schema_of(ChangeLog)) if structured else None,
    )


def _as_many_as_fit(changes: Sequence[Change]) -> Iterator[Change]:
    """The first changes, one at least, with their sources bounded."""
    room = LONGEST_PAGE
    for change in map(_bounded, changes):
        room -= sum(map(len, _change(change)))
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
        yield "These tools changed no code since the companion was started."
        return
    yield f"{count(log.total, 'change')}, newest first. undo_change takes one back, or all down to a number."
    for change in log.changes:
        yield from _change(change)
    if is_cut:
        yield "The page ends here, before it gets too long; a smaller limit makes shorter ones."
    if rest := rest_after(offset, len(log.changes), log.total):
        yield rest
    if log.dropped:
        yield f"Older ones that are not kept any more: {log.dropped:,}."


def _change(change: Change) -> Iterator[str]:
    subject = (
        method_name(change.class_name, change.side, change.selector) if change.selector else change.class_name
    )
    tool = MADE_BY.get(change.tool, change.tool)
    # what an undo did counts as undone, for nobody undoes it; said of it, it would seem to be taken back
    undone = " (undone)" if change.undone and tool != "undo_change" else ""
    yield f"    {change.change}: {change.action} {subject}, by {tool} at {change.at[:19]}{undone}"
    for when, protocol, source in (
        ("before", change.protocol_before, change.before),
        ("after", change.protocol_after, change.after),
    ):
        if source is not None:
            yield f"        {when}{f', in protocol {protocol}' if protocol else ''}:"
            yield from (f"            {line}" for line in source.splitlines())
