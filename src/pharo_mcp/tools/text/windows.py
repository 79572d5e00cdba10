"""Windows of the image as text."""

from collections.abc import Iterator

from pharo_mcp.image.replies.evaluation import WindowContent
from pharo_mcp.image.replies.failure import numbered
from pharo_mcp.image.replies.system import Handover


def handed_over(handover: Handover) -> str:
    """Return what was handed over, and its id."""
    return f"{handover.kind} {handover.title}, which inspect_object shows as {handover.object_id}"


def window_lines(window: WindowContent) -> Iterator[str]:
    """Yield the kind and title, the stack of a debugger, the text, and what is selected in it."""
    yield f"{window.kind.capitalize()} {window.title}{', active' if window.active else ''}"
    if window.field is not None:
        yield f"Selected field: {window.field}"
    if window.stack:
        yield "Stack:"
        yield from (f"    {line}" for line in numbered(window.stack))
    if window.frame is not None:
        yield f"Selected frame: {window.frame}"
    if window.text is None:
        return
    yield ""
    yield f"Text{', not accepted' if window.edited else ''}:"
    yield from (f"    {line}" for line in window.text.splitlines())
    if window.text_length is not None and window.text_length > len(window.text):
        yield f"    … of {window.text_length:,} characters"
    if window.selection and window.selection.text:
        yield f"Selected, characters {window.selection.from_} to {window.selection.to}:"
        yield from (f"    {line}" for line in window.selection.text.splitlines())
