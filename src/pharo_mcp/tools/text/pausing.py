"""Paused evaluations as text: why and where they stand, and what can be done."""

from collections.abc import Iterator

from pharo_mcp.image.replies.debugging import Paused, PausedFrame
from pharo_mcp.image.replies.evaluation import Part
from pharo_mcp.image.replies.failure import numbered

USERS = "debugger"
"""The kind of pause of a debugger that the user has open."""


def paused_lines(paused: Paused) -> Iterator[str]:
    """Yield the reason, the stack, and the variables of the user's own frames."""
    why = paused.paused
    if why.kind == USERS:
        yield f"A debugger of the user's: {why.message_text}"
    else:
        yield ": ".join(filter(None, ("Paused" if why.class_ else None, why.class_, why.message_text)))
    if paused.current:
        yield f"Test: {paused.current}, after {paused.done} of {paused.total} tests"
    yield "Stack:"
    yield from (f"    {line}" for line in numbered(why.stack))
    yield from map(str, why.frames)
    if why.kind == USERS:
        yield (
            f"evaluation_id: {paused.evaluation}; debug_show shows a frame, and evaluate takes the id as "
            "error_id. Only the user can go on there."
        )
        return
    if not why.resumable:
        yield f"{why.class_ or 'The error'} cannot be resumed: skip it by over, or restart, return, retry."
    yield (
        f"evaluation_id: {paused.evaluation}; debug_show shows a frame, debug_step goes on, stop_evaluation "
        "ends it, and evaluate takes the id as error_id."
    )


def frame_lines(shown: PausedFrame) -> Iterator[str]:
    """Yield the source with a mark at the current line, then the variables."""
    yield f"Frame {shown.frame} of {shown.frame_count}: {shown.method}"
    if shown.statement is not None:
        yield f"Line {shown.line}, column {shown.column}: {' '.join(shown.statement.split())}"
    yield ""
    if shown.source is None:
        yield "Its source is not available."
    else:
        for number, line in enumerate(shown.source.splitlines(), 1):
            yield f"{'->' if number == shown.line else '  '} {line}"
    yield ""
    yield from map(part_line, shown.variables)
    if shown.receiver_variables:
        yield "Instance variables of the receiver:"
        yield from (f"    {part_line(each)}" for each in shown.receiver_variables)


def part_line(part: Part) -> str:
    """One variable or element: its label, print string, class and id."""
    label = next(str(each) for each in (part.name, part.index_, part.key, "?") if each is not None)
    object_id = f", {part.object_id}" if part.object_id else ""
    return f"{label}: {part.print_string} ({part.class_name}{object_id})"
