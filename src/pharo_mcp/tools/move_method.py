"""Tool `move_method`: move a method to another class."""

from pharo_mcp.image import ImageClient
from pharo_mcp.protocol import Tool

from .declaration import CLASS_NAME, CONFIRM, PREVIEW, SELECTOR, SIDE, explained, schema_of_arguments, string
from .text.refactorings import method_in, refactoring_tool

DESCRIPTION = "Move a method to another class. Its senders are not changed."

ARGUMENTS = schema_of_arguments(
    ("class_name", "selector", "to_class"),
    class_name=CLASS_NAME,
    selector=SELECTOR,
    side=SIDE,
    to_class=string("Target class."),
    preview=explained(PREVIEW),
    confirm=explained(CONFIRM),
)


def move_method_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""
    return refactoring_tool(
        "move_method",
        DESCRIPTION,
        ARGUMENTS,
        lambda arguments: image.changes.move_method(**arguments),
        done=lambda arguments: f"Moved {method_in(arguments)} to {arguments['to_class']}",
        structured=structured,
    )
