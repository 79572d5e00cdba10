"""Methods that were found by what they answer, as text."""

from collections.abc import Iterator

from pharo_mcp.image.replies.code import method_name
from pharo_mcp.image.replies.examples import MethodByExample, MethodsByExample

from .wording import count

SHOWN = 20
"""Selectors that were not tried and are shown."""


def example_lines(found: MethodsByExample, arguments: int) -> Iterator[str]:
    """Yield the methods that answer the result, and what was tried."""
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
