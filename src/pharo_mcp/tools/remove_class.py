"""Tool `remove_class`: take a class or a trait away."""

from pharo_mcp.image import ImageClient
from pharo_mcp.protocol import Tool

from .arguments import CLASS_NAME, CONFIRM, PREVIEW, arguments, flag
from .refactorings import refactoring_tool

DESCRIPTION = """\
Remove a class or trait from the live image, by its refactoring engine. See the preview first: references, \
subclasses and users of the trait."""

ARGUMENTS = arguments(
    ("class_name",),
    class_name=CLASS_NAME,
    force=flag("Remove it even if it has subclasses or, as a trait, users.", default=False),
    preview=PREVIEW,
    confirm=CONFIRM,
)


def remove_class_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""
    return refactoring_tool(
        "remove_class",
        "Remove a class",
        DESCRIPTION,
        ARGUMENTS,
        lambda given: image.changes.remove_class(**given),
        use="reference",
        structured=structured,
    )
