"""Tool `list_images`: list the live images."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from pharo_mcp.image import ImageClient, LiveImage, schema_of, start_request, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult, always_quick

from .declaration import READS, schema_of_arguments

DESCRIPTION = "List the live images: names and addresses."


class ImageList(NamedTuple):
    """The structured result."""

    images: tuple[LiveImage, ...]


def list_images_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def list_images(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        images = ImageList(image.live_images())
        return ToolResult.from_text(_text(images.images, image.place), write(images))

    return Tool(
        name="list_images",
        description=DESCRIPTION,
        input_schema=schema_of_arguments(),
        handler=list_images,
        annotations=READS,
        output_schema=Schema(schema_of(ImageList)) if structured else None,
        is_quick=always_quick,
    )


def _text(images: tuple[LiveImage, ...], place: str | None) -> str:
    lines = []
    for each in images:
        lines.append(str(each))
        if each.trouble:
            lines.append(f"    {each.trouble}")
    lines.append(f"In use: {place}" if place else "No image is in use yet.")
    if len(images) > 1:
        lines.append("select_image chooses another by name, URL or image file.")
    return "\n".join(lines if images else [f"No live image was found. {start_request()}", *lines])
