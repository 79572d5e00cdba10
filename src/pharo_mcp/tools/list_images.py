"""Tool `list_images`: which images there are."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pharo_mcp.image import ImageClient, LiveImage, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult, always

from .arguments import arguments
from .hints import READS

DESCRIPTION = """\
List the live Pharo images, with name, system, address and file, and what is the matter with any; \
select_image chooses one."""


class ImageList(NamedTuple):
    """What the tool answers to programs."""

    images: tuple[LiveImage, ...]


def list_images_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool; it answers programs too if `structured`."""

    def list_images(given: Mapping[str, Any], call: Call) -> ToolResult:
        images = ImageList(image.live_images())
        return ToolResult.from_text(_text(images.images, image.place), write(images))

    return Tool(
        name="list_images",
        title="List the live images",
        description=DESCRIPTION,
        input_schema=arguments(),
        handler=list_images,
        annotations=READS,
        output_schema=Schema(schema_of(ImageList)) if structured else None,
        is_quick=always,
    )


def _text(images: tuple[LiveImage, ...], place: str | None) -> str:
    lines = []
    for each in images:
        lines.append(str(each))
        if each.trouble:
            lines.append(f"    {each.trouble}")
    lines.append(f"In use: {place}" if place else "None is in use yet.")
    if len(images) > 1:
        lines.append("select_image chooses another one, by its name, URL or image file.")
    return "\n".join(lines if images else ["No live image was found.", *lines])
