"""Tool `get_status`: show the state of the image."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pharo_mcp import __version__
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.connection.images import LiveImage
from pharo_mcp.image.replies.shapes import schema_of, write
from pharo_mcp.image.replies.system import LastSave, Status
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.protocol.tools import Tool, ToolResult

from .declaration import READS, schema_of_arguments
from .text.windows import handed_over
from .text.wording import busy_lines

DESCRIPTION = """\
Show the state of the image: memory, evaluations, workspace variables, open windows, what the user handed \
over, what blocks the user interface, and the other live images."""


def get_status_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def get_status(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        status = image.status()
        lines = (*_lines(status, image.place), *_others(image.live_images()))
        return ToolResult.from_text("\n".join(lines), write(status))

    return Tool(
        name="get_status",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(),
        handler=get_status,
        annotations=READS,
        output_schema=Schema(schema_of(Status)) if structured else None,
    )


def _lines(status: Status, place: str | None) -> Iterator[str]:
    yield f"Image: {place or status.name}"
    if status.system:
        yield f"System: {status.system}"
    yield f"Versions: companion {status.version}, pharo-mcp {__version__}"
    if status.started_at:
        yield f"Companion started: {status.started_at}"
    if status.uptime_seconds is not None:
        yield f"Uptime: {_duration(status.uptime_seconds)}"
    if status.memory_bytes is not None:
        yield f"Memory: {status.memory_bytes / 1_000_000:,.0f} MB"
    if status.read_only:
        yield "Read-only: whatever could change the image is refused"
    if status.last_save:
        yield _save_line(status.last_save)
    yield from _interface(status)
    if status.handover:
        yield f"Handed over by the user at {status.handover.at}: {handed_over(status.handover)}"
    yield from _workspaces(status)
    yield from _evaluations(status)
    yield from _errors(status)
    if status.breakpoints:
        yield f"Breakpoints: {status.breakpoints}; set_breakpoint lists them"


def _save_line(last: LastSave) -> str:
    return f"Last save: {last.at}, {'succeeded' if last.saved else last.reason or 'failed'}"


def _evaluations(status: Status) -> Iterator[str]:
    yield "Running evaluations:" if status.running else "Running evaluations: none"
    for each in status.running:
        since = "paused" if each.paused else "asks" if each.asks else f"for {each.elapsed:.1f} seconds"
        yield f"    {each.evaluation}, {since}: {each.expression}"
    for title in status.stuck:
        yield f"    {title}: ended, but its code still runs in the user interface; stop_evaluation stops it"
    if status.busy:
        yield from busy_lines(status.busy)


def _errors(status: Status) -> Iterator[str]:
    for error in status.errors:
        yield f"Process {error.process} ended at {error.at} with {error.message_text}"
        yield from (f"    {line}" for line in error.stack)


def _workspaces(status: Status) -> Iterator[str]:
    for each in status.workspaces:
        more = (each.variable_count or 0) - len(each.variables)
        rest = f", … and {more:,} more" if more > 0 else ""
        yield f"Variables of workspace {each.workspace}: {', '.join(each.variables)}{rest}"
    if status.workspace_count is not None:
        yield f"… and {status.workspace_count - len(status.workspaces):,} more workspaces"


def _interface(status: Status) -> Iterator[str]:
    interface = status.user_interface
    if interface is None:
        return
    if not interface.present:
        yield "User interface: none"
        return
    yield f"User interface: {'responds' if interface.answers else 'does not respond'}"
    debuggers = () if interface.windows else interface.debuggers
    for title, windows in (("Open debuggers", debuggers), ("Open dialogs", interface.dialogs)):
        if windows:
            yield f"{title}: {'; '.join(windows)}"
    if interface.windows:
        yield "Windows, which inspect_object and, for a debugger, debug_show show:"
    for each in interface.windows or ():
        yield f"    {each.object_id}: {each.kind} {each.title}{', active' if each.active else ''}"


def _others(images: Sequence[LiveImage]) -> Iterator[str]:
    """Yield the live images, if there are several."""
    if len(images) > 1:
        yield "Live images, one of which select_image chooses by name, URL or image file:"
        for each in images:
            yield f"    {each}"
            if each.trouble:
                yield f"        {each.trouble}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min {rest} s"
