"""Tool `remove_class`: remove a class or trait."""

from pharo_mcp.image import ImageClient
from pharo_mcp.protocol import Tool

from .declaration import CLASS_NAME, CONFIRM, PREVIEW, flag, schema_of_arguments
from .text.refactorings import refactoring_tool

DESCRIPTION = "Remove a class or trait; undo_change restores it."

ARGUMENTS = schema_of_arguments(
    ("class_name",),
    class_name=CLASS_NAME,
    force=flag("Also remove one with subclasses or users.", default=False),
    preview=PREVIEW,
    confirm=CONFIRM,
)


def remove_class_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""
    return refactoring_tool(
        "remove_class",
        DESCRIPTION,
        ARGUMENTS,
        lambda arguments: image.changes.remove_class(**arguments),
        done=lambda arguments: f"Removed {arguments['class_name']}",
        use="reference",
        structured=structured,
    )
