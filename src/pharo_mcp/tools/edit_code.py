"""Tool `edit_code`: change classes and methods by a text, and try the change in the same call."""

from collections.abc import Mapping
from functools import partial
from typing import Any

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.errors.refusals import RequestRefused
from pharo_mcp.image.errors.smalltalk_error import SmalltalkError
from pharo_mcp.image.replies.code_text import EditedCode
from pharo_mcp.image.replies.shapes import schema_of, write
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.schema import Schema
from pharo_mcp.protocol.tools import Tool, ToolError, ToolResult

from .declaration import DESTROYS, flag, names, schema_of_arguments, string
from .text.edited import edited_lines, failure_lines, warning_lines
from .text.outcomes import following, result_of

DESCRIPTION = """\
Define classes and add or replace methods with one text, then optionally evaluate and run tests. Everything \
is checked first: an error anywhere leaves all as it was. What the text omits stays. Undone as one change."""

TEXT = string(
    "Class definitions and methods, in any order and number: `Object << #ShOrder slots: { #lines }; package: "
    "'Shop'`, before it its comment in double quotes, `ShOrder >> total [ ^ lines size ]`, "
    "`ShOrder class >> of: x [ … ]`; or a Tonel file. Without `{ #category : 'adding' }` before it, a method "
    "keeps its protocol or gets the one that Pharo suggests."
)
ARGUMENTS = schema_of_arguments(
    text=TEXT,
    remove=names("Classes and methods to remove: `ShOld`, `ShLine>>amount`."),
    evaluate=string("Expression to evaluate after the change."),
    tests=names("Packages, classes or tests (`ShOrderTest>>testTotal`) to run after the change."),
    preview=flag("Only show what would change, as a diff.", default=False),
    keep_going=flag("Apply the valid parts even if others have errors.", default=False),
    confirm={
        "type": "boolean",
        "description": "Also change kernel code, and remove what other code still uses.",
    },
)


def edit_code_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def edit_code(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        options = dict(arguments)
        expression, tests = options.pop("evaluate", None), options.pop("tests", ())
        if not options.get("text") and not options.get("remove"):
            raise ToolError("edit_code needs text or remove. Nothing was changed.", "badRequest")
        edited = _edited(image, options)
        result = ToolResult.from_text("\n".join(edited_lines(edited)))._replace(
            is_error=bool(edited.failures)
        )
        if expression and not edited.preview:
            result = result.followed_by(result_of(image, partial(image.evaluate, expression)))
        if tests and not edited.preview:
            run = partial(image.projects.run_tests, items=tests, **following(image, call))
            result = result.followed_by(result_of(image, run))
        warnings = "\n".join(warning_lines(edited.warnings))
        result = result.followed_by(ToolResult.from_text(warnings)) if warnings else result
        return result._replace(structured=write(edited))

    return Tool(
        name="edit_code",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=edit_code,
        annotations=DESTROYS,
        output_schema=Schema(schema_of(EditedCode)) if structured else None,
    )


def _edited(image: ImageClient, options: Mapping[str, Any]) -> EditedCode:
    """Return what the edit did.

    Raises:
        ToolError: If anything is wrong with the text: all of it.
    """
    try:
        return image.changes.edit(**options)
    except (SmalltalkError, RequestRefused) as error:
        failures = error.failure.failures
        if not failures:
            raise
        advice = "" if len(failures) == 1 else "With keep_going: true, the valid parts are applied."
        lines = ["Nothing was changed.", *failure_lines(failures), "", advice]
        raise ToolError("\n".join(lines).rstrip(), error.kind, error.details) from error
