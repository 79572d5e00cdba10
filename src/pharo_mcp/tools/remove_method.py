"""Tool `remove_method`: remove a method."""

from pharo_mcp.image import ImageClient
from pharo_mcp.protocol import Tool

from .declaration import CLASS_NAME, CONFIRM, PREVIEW, SELECTOR, SIDE, schema_of_arguments
from .text.refactorings import method_in, refactoring_tool

DESCRIPTION = "Remove a method; undo_change restores it."

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
        done=lambda arguments: f"Removed {method_in(arguments)}",
        structured=structured,
    )
