"""Tools about the image as a whole, and which one calls go to."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from pharo_mcp import __version__
from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.hints import usable
from pharo_mcp.image.images import LiveImage
from pharo_mcp.image.replies.image import Status
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import ImageContent, TextContent, ToolResult
from pharo_mcp.tools.declaration import READS, integer, schema_of_arguments, string, tool
from pharo_mcp.tools.evaluating import handed_over
from pharo_mcp.tools.wording import busy_lines, indented, listed, warned

SHOWN_BY = ", which inspect_object and, for a debugger, debug_show show"
CHOSEN_BY = ", one of which select_image chooses by name, URL or image file"


@tool(
    "image",
    schema_of_arguments(
        window=string("Window title; omit for the whole world."),
        max_width=integer("Pixels at most.", minimum=16, maximum=4096, default=1200),
        max_height=integer("Pixels at most.", minimum=16, maximum=4096, default=1200),
    ),
    READS,
)
def take_screenshot(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> ToolResult:
    """Take a screenshot of the whole world or a window. Needs a display."""
    screenshot = image.ask(endpoints.SCREENSHOT, **arguments)
    subject = f"Window {screenshot.title}" if screenshot.title else "The world"
    note = f" {screenshot.note}" if screenshot.note else ""
    windows = f" Windows: {'; '.join(screenshot.windows)}." if screenshot.windows else ""
    text = f"{subject}, {screenshot.width} by {screenshot.height} pixels.{note}{windows}"
    words = "\n".join((text, *warned(screenshot.warnings)))
    return ToolResult((ImageContent(screenshot.png), TextContent(words)))


@tool("image", schema_of_arguments(), READS)
def get_status(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> ToolResult:
    """Show the state of the image: memory, evaluations, workspace variables, open windows, what the user
    handed over, what blocks the user interface, and the other live images.
    """
    status = image.status()
    lines = (*_status_lines(status, image.current_image), *_others(image.live_images()))
    return ToolResult.from_text("\n".join(lines))._replace(reply=status)


def _status_lines(status: Status, place: str | None) -> Iterator[str]:
    facts = {
        "Image": place or status.name,
        "System": status.system,
        "Versions": f"companion {status.version}, pharo-mcp {__version__}",
        "Companion started": status.started_at,
        "Uptime": None if status.uptime_seconds is None else _duration(status.uptime_seconds),
        "Memory": None if status.memory_bytes is None else f"{status.memory_bytes / 1_000_000:,.0f} MB",
    }
    yield from (f"{name}: {fact}" for name, fact in facts.items() if fact)
    if status.read_only:
        yield "Read-only: whatever could change the image is refused"
    if status.last_save:
        outcome = "succeeded" if status.last_save.saved else status.last_save.reason or "failed"
        yield f"Last save: {status.last_save.at}, {outcome}"
    yield from _interface(status)
    if status.handover:
        yield f"Handed over by the user at {status.handover.at}: {handed_over(status.handover)}"
    yield from _workspaces(status)
    yield from _evaluations(status)
    for error in status.errors:
        yield f"Process {error.process} ended at {error.at} with {error.message_text}"
        yield from indented(error.stack)
    if status.breakpoints:
        yield usable(f"Breakpoints: {status.breakpoints}; set_breakpoint lists them")


def _evaluations(status: Status) -> Iterator[str]:
    yield "Running evaluations:" if status.running else "Running evaluations: none"
    for each in status.running:
        since = "paused" if each.paused else "asks" if each.asks else f"for {each.elapsed:.1f} seconds"
        yield f"    {each.evaluation}, {since}: {each.expression}"
    for title in status.stuck:
        yield usable(
            f"    {title}: ended, but its code still runs in the user interface; stop_evaluation stops it"
        )
    if status.busy:
        yield from busy_lines(status.busy)


def _workspaces(status: Status) -> Iterator[str]:
    for each in status.workspaces:
        variables = listed(each.variables, total=each.variable_count)
        yield f"Variables of workspace {each.workspace}: {variables}"
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
        yield f"Windows{usable(SHOWN_BY)}:"
    for each in interface.windows or ():
        yield f"    {each.object_id}: {each.kind} {each.title}{', active' if each.active else ''}"


def _others(images: Sequence[LiveImage]) -> Iterator[str]:
    """Yield the live images, if there are several."""
    if len(images) > 1:
        yield f"Live images{usable(CHOSEN_BY)}:"
        for each in images:
            yield f"    {each}"
            if each.trouble:
                yield f"        {each.trouble}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min {rest} s"


@tool("image", schema_of_arguments(), READS)
def get_version(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> Iterator[str]:
    """Show the versions of Pharo and pharo-mcp."""
    version = image.ask(endpoints.VERSION)
    yield f"System: {version.system}"
    yield f"Image: {version.image}"
    yield f"Virtual machine: {version.vm}"
    yield f"Companion in the image: {version.companion}"
    yield f"Front end: pharo-mcp {__version__}"
    if version.system.endswith("(practice image)"):
        yield "This is the practice image, not Pharo: a small Smalltalk with some of Pharo's classes."


@tool("image", schema_of_arguments(("name",), name=string("Name, URL or image file.")), READS, core=True)
def select_image(image: ImageClient, arguments: Mapping[str, Any], call: Call) -> Iterator[str]:
    """Choose which of several live images all later calls go to."""
    chosen = image.choose(arguments["name"])
    yield f"Calls now go to {chosen}."
    if chosen.trouble:
        yield chosen.trouble
