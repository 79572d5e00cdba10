"""Tool `take_screenshot`: show what the user of the image sees."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.projects import Screenshot
from pharo_mcp.image.replies.shapes import schema_of, write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.protocol.tools import ImageContent, TextContent, Tool, ToolResult

from .declaration import READS, integer, schema_of_arguments, string
from .text.wording import warned

DESCRIPTION = "Take a screenshot of the whole world or a window. Needs a display."


class Shown(NamedTuple):
    """The structured result; the picture itself is in the contents."""

    width: int
    height: int
    title: str | None
    windows: tuple[str, ...]
    note: str | None


def take_screenshot_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def take_screenshot(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        screenshot = image.projects.screenshot(**arguments)
        contents = (ImageContent(screenshot.png), TextContent(_text(screenshot)))
        return ToolResult(contents, write(_shown(screenshot)))

    return Tool(
        name="take_screenshot",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(
            window=string("Window title; omit for the whole world."),
            max_width=integer("Pixels at most.", minimum=16, maximum=4096, default=1200),
            max_height=integer("Pixels at most.", minimum=16, maximum=4096, default=1200),
        ),
        handler=take_screenshot,
        annotations=READS,
        output_schema=Schema(schema_of(Shown)) if structured else None,
    )


def _shown(screenshot: Screenshot) -> Shown:
    return Shown(screenshot.width, screenshot.height, screenshot.title, screenshot.windows, screenshot.note)


def _text(screenshot: Screenshot) -> str:
    subject = f"Window {screenshot.title}" if screenshot.title else "The world"
    note = f" {screenshot.note}" if screenshot.note else ""
    windows = f" Windows: {'; '.join(screenshot.windows)}." if screenshot.windows else ""
    text = f"{subject}, {screenshot.width} by {screenshot.height} pixels.{note}{windows}"
    return "\n".join((text, *warned(screenshot.warnings)))
