"""Tool `rename_method`: rename a method, its implementors and its senders."""

from pharo_mcp.image import ImageClient
from pharo_mcp.protocol import Tool

from .declaration import CLASS_NAME, CONFIRM, PREVIEW, SELECTOR, SIDE, names, schema_of_arguments, string
from .text.refactorings import method_in, refactoring_tool

DESCRIPTION = "Rename a method, its implementors and its senders."

ARGUMENTS = schema_of_arguments(
    ("class_name", "selector", "new_selector"),
    class_name=CLASS_NAME,
    selector=SELECTOR,
    side=SIDE,
    new_selector=string("New selector, with as many arguments."),
    packages=names("Packages to rename in; default: its own; `*`: all."),
    preview=PREVIEW,
    confirm=CONFIRM,
)


def rename_method_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""
    return refactoring_tool(
        "rename_method",
        DESCRIPTION,
        ARGUMENTS,
        lambda arguments: image.changes.rename_method(**arguments),
        done=lambda arguments: f"Renamed {method_in(arguments)} to {arguments['new_selector']}",
        structured=structured,
    )
