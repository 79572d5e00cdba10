"""Tool `take_screenshot`: see what the image shows."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pharo_mcp.image import ImageClient, Screenshot, schema_of, write
from pharo_mcp.protocol import Call, ImageContent, Schema, TextContent, Tool, ToolResult

from .arguments import arguments, integer, text
from .hints import READS

DESCRIPTION = """\
Take a picture of what the live image shows its user: the whole world, or one window by its title. An image \
without a display says so."""


class Shown(NamedTuple):
    """What the tool answers to programs; the picture is beside it."""

    width: int
    height: int
    title: str | None
    windows: tuple[str, ...]


def take_screenshot_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def take_screenshot(given: Mapping[str, Any], call: Call) -> ToolResult:
        screenshot = image.projects.screenshot(**given)
        contents = (ImageContent(screenshot.png), TextContent(_text(screenshot)))
        return ToolResult(contents, write(_shown(screenshot)))

    return Tool(
        name="take_screenshot",
        title="Take a screenshot",
        description=DESCRIPTION,
        input_schema=arguments(
            window=text("Title of a window; all without."),
            max_width=integer("Pixels.", minimum=16, maximum=4096, default=1200),
            max_height=integer("Pixels.", minimum=16, maximum=4096, default=1200),
        ),
        handler=take_screenshot,
        annotations=READS,
        output_schema=Schema(schema_of(Shown)) if structured else None,
    )


def _shown(screenshot: Screenshot) -> Shown:
    return Shown(screenshot.width, screenshot.height, screenshot.title, screenshot.windows)


def _text(screenshot: Screenshot) -> str:
    subject = f"Window {screenshot.title}" if screenshot.title else "The world"
    windows = f" Windows: {'; '.join(screenshot.windows)}." if screenshot.windows else ""
    return f"{subject}, {screenshot.width} by {screenshot.height} pixels.{windows}"
