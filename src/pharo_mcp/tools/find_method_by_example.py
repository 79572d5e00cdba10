"""Tool `find_method_by_example`: find methods by a receiver, arguments and the result."""

from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp.image import ImageClient, MethodByExample, MethodsByExample, method_name, schema_of, write
from pharo_mcp.protocol import Call, Schema, Tool, ToolResult

from .declaration import ANYTHING, names, schema_of_arguments, string
from .text.wording import count

DESCRIPTION = "Find methods that answer a result. Tries only methods without side effects."

ARGUMENTS = schema_of_arguments(
    ("receiver", "result"),
    receiver=string("Expression, such as `'abc'`."),
    arguments=names("An expression for each argument."),
    result=string("Expression, such as `'ABC'`."),
)

SHOWN = 20
"""Selectors that were not tried and are shown."""


def find_method_by_example_tool(image: ImageClient, *, structured: bool) -> Tool:
    """Make the tool for an image, with an output schema if `structured`."""

    def find(arguments: Mapping[str, Any], call: Call) -> ToolResult:
        found = image.code.find_method(**arguments)
        return ToolResult.from_text(
            "\n".join(_lines(found, len(arguments.get("arguments", ())))), write(found)
        )

    return Tool(
        name="find_method_by_example",
        description=DESCRIPTION,
        input_schema=ARGUMENTS,
        handler=find,
        # The expressions are evaluated, and may do anything.
        annotations=ANYTHING,
        output_schema=Schema(schema_of(MethodsByExample)) if structured else None,
    )


def _lines(found: MethodsByExample, arguments: int) -> Iterator[str]:
    if found.total:
        verb = "answers" if found.total == 1 else "answer"
        yield f"{count(found.total, 'method')} {verb} the result:"
        yield from (f"    {_line(item)}" for item in found.items)
        if (more := found.total - len(found.items)) > 0:
            yield f"    and {more:,} more; an example with another result narrows them down."
    else:
        yield "No method that was tried answers the result. search finds methods by parts of their names."
    yield from _honesty(found, arguments)


def _line(item: MethodByExample) -> str:
    line = f"{method_name(item.class_name, None, item.selector)}: {item.expression}"
    return line if item.print_string is None else f"{line} (answers {item.print_string})"


def _honesty(found: MethodsByExample, arguments: int) -> Iterator[str]:
    """Yield what was tried, and what was not."""
    yield (
        f"Tried: {count(found.tried, 'message')}, of which {found.failed:,} signalled an error; only methods "
        "that are known to have no side effects, on copies."
    )
    if found.unfinished is not None:
        yield f"Took too long, so nothing was tried after it: {found.unfinished}"
    elif not found.complete:
        yield "The time was over before all of these were tried."
    if found.not_tried.total:
        shown = found.not_tried.names[:SHOWN]
        more = ", …" if len(shown) < found.not_tried.total else ""
        yield (
            f"Not tried: {found.not_tried.total:,} other selectors with {count(arguments, 'argument')} that "
            f"{found.receiver_class} understands: {', '.join(shown)}{more}"
        )
