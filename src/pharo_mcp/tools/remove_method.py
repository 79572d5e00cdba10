"""Tool `remove_method`: take a method away."""

from pharo_mcp.image import ImageClient
from pharo_mcp.protocol import Tool

from .arguments import CLASS_NAME, CONFIRM, PREVIEW, SELECTOR, SIDE, arguments
from .refactorings import refactoring_tool

DESCRIPTION = """\
Remove a method from a class or trait of the live image, by its refactoring engine. See the preview first: \
who sends it."""

ARGUMENTS = arguments(
    ("class_name", "selector"),
    class_name=CLASS_NAME,
    selector=SELECTOR,
    side=SIDE,
    preview=PREVIEW,
    confirm=CONFIRM,
)


def remove_method_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""
    return refactoring_tool(
        "remove_method",
        "Remove a method",
        DESCRIPTION,
        ARGUMENTS,
        lambda given: image.changes.remove_method(**given),
        structured=structured,
    )
