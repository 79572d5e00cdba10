"""Tool `get_status`: how the image is."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp import __version__
from pharo_mcp.image import ImageClient, Status, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult, always

from .arguments import arguments
from .hints import READS

DESCRIPTION = """\
Tell how the live image is: address, versions, memory, what runs in it, and whether its user interface \
answers or is held up by a debugger or a dialog. It answers while everything else is stuck."""


def get_status_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def get_status(given: Mapping[str, Any], call: Call) -> ToolResult:
        status = image.status()
        return ToolResult.from_text("\n".join(_lines(status, image.place)), write(status))

    return Tool(
        name="get_status",
        title="See how the image is",
        description=DESCRIPTION,
        input_schema=arguments(),
        handler=get_status,
        annotations=READS,
        output_schema=Schema(schema_of(Status)) if structured else None,
        is_quick=always,
    )


def _lines(status: Status, place: str | None) -> Iterator[str]:
    yield f"Image: {place or status.name}"
    if status.system:
        yield f"System: {status.system}"
    yield f"Versions: {status.version} in the image, {__version__} here"
    if status.started_at:
        yield f"Companion started: {status.started_at}"
    if status.uptime_seconds is not None:
        yield f"Up: {_duration(status.uptime_seconds)}"
    if status.memory_bytes is not None:
        yield f"Memory: {status.memory_bytes / 1_000_000:,.0f} MB"
    if status.read_only:
        yield "Read-only: whatever can change the image is refused"
    yield from _interface(status)
    yield "Running evaluations:" if status.running else "Running evaluations: none"
    for each in status.running:
        yield f"    {each.evaluation}, for {each.elapsed:.1f} seconds: {each.expression}"


def _interface(status: Status) -> Iterator[str]:
    interface = status.user_interface
    if interface is None:
        return
    if not interface.present:
        yield "User interface: none"
        return
    yield f"User interface: {'answers' if interface.answers else 'does not answer'}"
    for title, windows in (("Open debuggers", interface.debuggers), ("Open dialogs", interface.dialogs)):
        if windows:
            yield f"{title}: {'; '.join(windows)}"


def _duration(seconds: float) -> str:
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min {rest} s"
