"""Tool `rename_class`: give a class or a trait another name."""

from pharo_mcp.image import ImageClient
from pharo_mcp.protocol import Tool

from .arguments import CLASS_NAME, CONFIRM, PREVIEW, arguments, name
from .refactorings import refactoring_tool

DESCRIPTION = """\
Rename a class or trait of the live image and every reference to it, by its refactoring engine. See the \
preview first."""

ARGUMENTS = arguments(
    ("class_name", "new_name"),
    class_name=CLASS_NAME,
    new_name=name("Its new name."),
    preview=PREVIEW,
    confirm=CONFIRM,
)


def rename_class_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""
    return refactoring_tool(
        "rename_class",
        "Rename a class",
        DESCRIPTION,
        ARGUMENTS,
        lambda given: image.changes.rename_class(**given),
        use="reference",
        structured=structured,
    )
