"""Tool `take_screenshot`: see what the image shows."""

from collections.abc import Mapping
from typing import Any

from pharo_mcp.image import ImageClient, Screenshot, schema_of, write
from pharo_mcp.protocol import Call, ImageContent, Schema, TextContent, Tool, ToolResult

from .arguments import arguments, integer, text
from .hints import READS

DESCRIPTION = """\
Take a picture of what the live image shows its user: the whole world, or one window by its title. An image \
without a display says so."""


def take_screenshot_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""

    def take_screenshot(given: Mapping[str, Any], call: Call) -> ToolResult:
        screenshot = image.projects.screenshot(**given)
        contents = (ImageContent(screenshot.png), TextContent(_text(screenshot)))
        return ToolResult(contents, write(screenshot))

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
        output_schema=Schema(schema_of(Screenshot)) if structured else None,
    )


def _text(screenshot: Screenshot) -> str:
    subject = f"Window {screenshot.title}" if screenshot.title else "The world"
    windows = f" Windows: {'; '.join(screenshot.windows)}." if screenshot.windows else ""
    return f"{subject}, {screenshot.width} by {screenshot.height} pixels.{windows}"
