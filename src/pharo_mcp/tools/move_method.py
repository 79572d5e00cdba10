"""Tool `move_method`: move a method to another class."""

from pharo_mcp.image import ImageClient
from pharo_mcp.protocol import Tool

from .arguments import CLASS_NAME, CONFIRM, PREVIEW, SELECTOR, SIDE, arguments, name
from .refactorings import refactoring_tool

DESCRIPTION = """\
Move a method of the live image to another class, by its refactoring engine. See the preview first."""

ARGUMENTS = arguments(
    ("class_name", "selector", "to_class"),
    class_name=CLASS_NAME,
    selector=SELECTOR,
    side=SIDE,
    to_class=name("Where it goes."),
    preview=PREVIEW,
    confirm=CONFIRM,
)


def move_method_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""
    return refactoring_tool(
        "move_method",
        "Move a method",
        DESCRIPTION,
        ARGUMENTS,
        lambda given: image.changes.move_method(**given),
        structured=structured,
    )
