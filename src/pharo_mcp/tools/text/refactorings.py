"""What a refactoring would change, or has changed, as text."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image.replies.changes import Refactoring
from pharo_mcp.image.replies.code import method_name

from .wording import changes_made, count, warned


def refactoring_lines(refactoring: Refactoring, arguments: Mapping[str, Any]) -> Iterator[str]:
    """Yield what was done or would be, how far it reaches, the methods, and what to do next."""
    impact = refactoring.impact
    affected = f"{count(impact.sends, 'method')} in {count(impact.classes, 'class', 'classes')}"
    if refactoring.preview:
        yield f"Preview; nothing was changed. Affected: {affected}."
    else:
        yield f"{_done(arguments)}. Affected: {affected}."
        yield from changes_made(refactoring.changes)
    yield from (f"    {method_name(each.class_name, each.side, each.selector)}" for each in impact.items)
    yield from warned(refactoring.warnings)
    if refactoring.preview:
        yield "To make the change, call again with preview: false."


def _done(arguments: Mapping[str, Any]) -> str:
    class_name = arguments["class_name"]
    if arguments["kind"] == "rename_class":
        return f"Renamed {class_name} to {arguments['new_name']}"
    method = method_name(class_name, arguments.get("side"), arguments["selector"])
    if arguments["kind"] == "rename_method":
        return f"Renamed {method} to {arguments['new_name']}"
    return f"Moved {method} to {arguments['to_class']}"
