"""Tool `rename_method`: give a method another selector."""

from pharo_mcp.image import ImageClient
from pharo_mcp.protocol import Tool

from .arguments import CLASS_NAME, CONFIRM, PREVIEW, SELECTOR, SIDE, arguments, name, names
from .refactorings import refactoring_tool

DESCRIPTION = """\
Rename a method of the live image with its implementors and senders in some packages, by the refactoring \
engine. See the preview first: a common selector is sent everywhere."""

ARGUMENTS = arguments(
    ("class_name", "selector", "new_selector"),
    class_name=CLASS_NAME,
    selector=SELECTOR,
    side=SIDE,
    new_selector=name("With as many arguments."),
    packages=names("Where to rename; that of the method without, `*` for all."),
    preview=PREVIEW,
    confirm=CONFIRM,
)


def rename_method_tool(image: ImageClient, *, structured: bool) -> Tool:
    """The tool, for one image; it answers programs too if `structured`."""
    return refactoring_tool(
        "rename_method",
        "Rename a method",
        DESCRIPTION,
        ARGUMENTS,
        lambda given: image.changes.rename_method(**given),
        structured=structured,
    )
