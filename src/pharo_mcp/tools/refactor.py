"""Tool `refactor`: rename classes and methods where they are used, and move methods."""

from collections.abc import Callable, Mapping
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.replies.changes import Refactoring
from pharo_mcp.image.replies.shapes import schema_of, write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.protocol.tools import Tool, ToolError, ToolResult

from .declaration import (
    CLASS_NAME,
    CONFIRM,
    DESTROYS,
    PREVIEW,
    SIDE,
    choice,
    names,
    schema_of_arguments,
    string,
)
from .text.refactorings import refactoring_lines

DESCRIPTION = """\
Rename a class or method with its uses, or move a method. If other code is affected, the methods that would \
change are listed first; call again with preview: false, perhaps with only some of them."""

NEEDED: Mapping[str, tuple[str, ...]] = {
    "rename_class": ("new_name",),
    "rename_method": ("selector", "new_name"),
    "move_method": ("selector", "to_class"),
}
"""What each kind needs besides the class."""
OPTIONAL: Mapping[str, tuple[str, ...]] = {
    "rename_class": (),
    "rename_method": ("side", "only"),
    "move_method": ("side",),
}
"""What else each kind takes besides `preview` and `confirm`."""

ARGUMENTS = schema_of_arguments(
    ("kind", "class_name"),
    kind=choice("What to do.", *NEEDED),
    class_name=CLASS_NAME,
    selector=string("Selector of the method, for rename_method and move_method."),
    side=SIDE,
    new_name=string("New name of the class, or new selector with as many arguments."),
    to_class=string("Class to move the method to; its senders stay as they are."),
    only=names(
        "For rename_method: classes, packages, methods (`ShOrder>>total`) to change; omit for the hierarchy "
        "of the class and the senders whose receiver is likely of it."
    ),
    preview=PREVIEW,
    confirm=CONFIRM,
)


def refactor_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""
    requests: Mapping[str, Callable[..., Refactoring]] = {
        "rename_class": image.changes.rename_class,
        "rename_method": image.changes.rename_method,
        "move_method": image.changes.move_method,
    }

    def refactor(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        kind = arguments["kind"]
        options = {name: value for name, value in arguments.items() if name != "kind"}
        if missing := [each for each in NEEDED[kind] if each not in options]:
            raise ToolError(f"{kind} needs {' and '.join(missing)}. Nothing was changed.", "badRequest")
        known = {"class_name", "preview", "confirm", *NEEDED[kind], *OPTIONAL[kind]}
        if surplus := [each for each in options if each not in known]:
            raise ToolError(
                f"{kind} does not take {' and '.join(surplus)}. Nothing was changed.", "badRequest"
            )
        if kind == "rename_method":
            options["new_selector"] = options.pop("new_name")
        refactoring = requests[kind](**options)
        return ToolResult.from_text("\n".join(refactoring_lines(refactoring, arguments)), write(refactoring))

    return Tool(
        name="refactor",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=refactor,
        annotations=DESTROYS,
        output_schema=Schema(schema_of(Refactoring)) if structured else None,
    )
