"""The tools that use the image's refactoring engine: how they are made, and what they report."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pharo_mcp.image import Impact, Refactoring, method_name, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult
from pharo_mcp.tools.declaration import DESTROYS

from .wording import changes_made, count, warned

Refactor = Callable[[Mapping[str, Any]], Refactoring]
"""Takes a tool's arguments and makes the request to the image."""


def method_in(arguments: Mapping[str, Any]) -> str:
    """Return the name of the method that the arguments of a tool mean."""
    return method_name(arguments["class_name"], arguments.get("side"), arguments["selector"])


def refactoring_tool(
    name: str,
    description: str,
    schema: Schema,
    refactor: Refactor,
    *,
    done: Callable[[Mapping[str, Any]], str],
    use: str = "send",
    structured: bool,
) -> Tool:
    """Make a tool that does a refactoring and reports its impact.

    Args:
        name: The tool's name.
        description: The tool's description.
        schema: The tool's input schema.
        refactor: Makes the request to the image.
        done: Returns what was done with the arguments, in words.
        use: The noun for what is affected.
        structured: Whether the tool has an output schema.
    """

    def handle(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        refactoring = refactor(arguments)
        return ToolResult.from_text("\n".join(_lines(refactoring, done(arguments), use)), write(refactoring))

    return Tool(
        name=name,
        description=description,
        input_schema=schema,
        handler=handle,
        annotations=DESTROYS,
        output_schema=Schema(schema_of(Refactoring)) if structured else None,
    )


def _lines(refactoring: Refactoring, done: str, use: str) -> Iterator[str]:
    impact = refactoring.impact
    affected = f"{count(impact.sends, use)} in {count(impact.classes, 'class', 'classes')}"
    if refactoring.preview:
        yield f"Preview; nothing was changed. Affected: {affected}."
    else:
        yield f"{done}. Affected: {affected}."
        yield from changes_made(refactoring.changes)
    yield from (f"    {method_name(each.class_name, each.side, each.selector)}" for each in impact.items)
    yield from _dependents(impact)
    yield from warned(refactoring.warnings)
    if refactoring.preview:
        force = " and force: true" if impact.is_depended_on else ""
        yield f"To make the change, call again with preview: false{force}."


def _dependents(impact: Impact) -> Iterator[str]:
    """Yield what depends on a class that is removed, and what happens to it."""
    for names, heading in (
        (impact.subclasses, "Subclasses, which move up to its superclass"),
        (impact.users, "Users of the trait, which lose its methods"),
    ):
        if names is not None:
            more = ", …" if len(names.names) < names.total else ""
            yield f"{heading} ({names.total:,}): {', '.join(names.names)}{more}"
