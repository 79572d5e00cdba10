"""Tool `rename_class`: rename a class or trait and all references to it."""

from pharo_mcp.image import ImageClient
from pharo_mcp.protocol import Tool

from .declaration import CLASS_NAME, CONFIRM, PREVIEW, explained, schema_of_arguments, string
from .text.refactorings import refactoring_tool

DESCRIPTION = "Rename a class or trait and every reference to it."

ARGUMENTS = schema_of_arguments(
    ("class_name", "new_name"),
    class_name=CLASS_NAME,
    new_name=string("New name."),
    preview=explained(PREVIEW),
    confirm=explained(CONFIRM),
)


def rename_class_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""
    return refactoring_tool(
        "rename_class",
        DESCRIPTION,
        ARGUMENTS,
        lambda arguments: image.changes.rename_class(**arguments),
        done=lambda arguments: f"Renamed {arguments['class_name']} to {arguments['new_name']}",
        use="reference",
        structured=structured,
    )
