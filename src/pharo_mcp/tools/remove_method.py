"""Tool `remove_method`: remove a method."""

from pharo_mcp.image import ImageClient
from pharo_mcp.protocol import Tool

from .declaration import CLASS_NAME, CONFIRM, PREVIEW, SELECTOR, SIDE, schema_of_arguments
from .text.refactorings import refactoring_tool

DESCRIPTION = "Remove a method from a class or trait. The preview lists its senders."

ARGUMENTS = schema_of_arguments(
    ("class_name", "selector"),
    class_name=CLASS_NAME,
    selector=SELECTOR,
    side=SIDE,
    preview=PREVIEW,
    confirm=CONFIRM,
)


def remove_method_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""
    return refactoring_tool(
        "remove_method",
        DESCRIPTION,
        ARGUMENTS,
        lambda arguments: image.changes.remove_method(**arguments),
        structured=structured,
    )
