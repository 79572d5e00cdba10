"""What an undo did, as text."""

from collections.abc import Iterator

from pharo_mcp.image.replies.changes import Undone

from .wording import ranges


def undone_lines(undone: Undone) -> Iterator[str]:
    """Yield what was undone, how to undo that, and what has no implementor or sender any more."""
    if undone.undone_by is not None:
        yield f"It is already undone; undo_change {undone.undone_by} redoes it."
    elif not undone.undone:
        yield "There was nothing to undo. list_changes shows the changes, and which are already undone."
    else:
        yield f"Undone {ranges(undone.undone)}{_made(undone)}."
        yield from _unmatched("Sent, but no longer implemented", undone.no_implementors)
        yield from _unmatched("Implemented, but no longer sent", undone.no_senders)


def _made(undone: Undone) -> str:
    if not undone.changes:
        return ""
    return f"; undo_change {max(undone.changes)} redoes it"


def _unmatched(heading: str, selectors: tuple[str, ...]) -> Iterator[str]:
    if selectors:
        yield f"{heading}: {', '.join(selectors)}"
