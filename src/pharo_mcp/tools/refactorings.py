"""What comes of a refactoring, for the tools that ask the image for one: impact first."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from pharo_mcp.image import Impact, Refactoring, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .hints import DESTROYS
from .wording import count, how_to_undo, method_name, warned

Refactor = Callable[[Mapping[str, Any]], Refactoring]
"""Takes a tool's arguments and asks the image."""


def refactoring_tool(
    name: str,
    title: str,
    description: str,
    schema: Schema,
    refactor: Refactor,
    *,
    use: str = "send",
    structured: bool,
) -> Tool:
    """A tool that asks for a refactoring, and tells its impact: the uses of what it is about."""

    def handle(given: Mapping[str, Any], call: Call) -> ToolResult:
        refactoring = refactor(given)
        return ToolResult.from_text("\n".join(_lines(refactoring, use)), write(refactoring))

    return Tool(
        name=name,
        title=title,
        description=description,
        input_schema=schema,
        handler=handle,
        annotations=DESTROYS,
        output_schema=Schema(schema_of(Refactoring)) if structured else None,
    )


def _lines(refactoring: Refactoring, use: str) -> Iterator[str]:
    impact = refactoring.impact
    uses = f"{count(impact.sends, use)} in {count(impact.classes, 'class', 'classes')}"
    if refactoring.preview:
        yield f"Nothing is changed yet. It concerns {uses}."
    else:
        yield f"Done. It concerned {uses}."
        yield from how_to_undo(refactoring.changes)
    yield from (f"    {method_name(each.class_name, each.side, each.selector)}" for each in impact.items)
    yield from _dependents(impact)
    yield from warned(refactoring.warnings)
    if refactoring.preview:
        force = " and force: true" if impact.is_depended_on else ""
        yield f"Call again with preview: false{force} to do it."


def _dependents(impact: Impact) -> Iterator[str]:
    """What depends on a class that is removed, and what becomes of it."""
    for names, heading in (
        (impact.subclasses, "Subclasses, moved below its superclass"),
        (impact.users, "Users of the trait, which lose its methods"),
    ):
        if names is not None:
            more = ", …" if len(names.names) < names.total else ""
            yield f"{heading} ({names.total:,}): {', '.join(names.names)}{more}"
