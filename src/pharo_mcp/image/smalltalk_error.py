"""How evaluated code ended, other than with a value."""

from collections.abc import Iterator, Mapping

from .errors import ImageError
from .replies import Failure
from .shapes import write

HEADS = {"syntax": "Syntax error"}
DONE_STAYS = "What it had done until then stays done."
NOTES = {
    "syntax": "Nothing ran. Nothing changed.",
    "undeclared": "Nothing ran. Nothing changed.",
    "halt": "The code reached a halt and was ended there; no debugger was opened.",
    "question": "The code asked the user a question and was ended there, for nobody could answer it.",
    "warning": (
        "Nothing was loaded over these packages. export_package writes one into a folder, and then it counts "
        "as saved; `(MCWorkingCopy forPackageNamed: 'NAME') modified: false` lets its changes be lost."
    ),
    "timeout": DONE_STAYS,
    "cancelled": DONE_STAYS,
    "interrupted": DONE_STAYS,
    "saved": f"Call get_status to see when the image answers again. {DONE_STAYS}",
    "recursion": f"It was ended before the virtual machine suffered. {DONE_STAYS}",
    "memory": f"It was ended before the virtual machine suffered. {DONE_STAYS}",
    "debugger": "The code stands in a debugger in the image now, where the user can look at it and go on.",
}
"""What to know beside the cause, by kind."""

AROUND = 100
"""Characters of a long line that are shown on either side of what is wrong in it."""

FATES = frozenset({"exception", *NOTES})
"""Every kind there is."""


class SmalltalkError(ImageError):
    """The code was compiled or run, and did not end with a value; tells how it ended.

    The cause is in the first line, then come position or receiver and selector, then the stack.
    """

    def __init__(self, failure: Failure) -> None:
        super().__init__("\n".join(_lines(failure)))
        self.kind = failure.kind
        self.failure = failure

    @property
    def details(self) -> Mapping[str, object]:
        """What the image said."""
        return write(self.failure)


def _lines(failure: Failure) -> Iterator[str]:
    yield _cause(failure)
    if failure.source_line is not None and failure.column is not None:
        line, column = _around(failure.source_line, failure.column)
        yield f"    {line}"
        yield f"    {_caret(line, column)}"
    if failure.near:
        yield f"Similar names: {', '.join(failure.near)}"
    if failure.receiver is not None:
        yield f"Receiver: {failure.receiver}"
    if failure.selector is not None:
        yield f"Selector: {failure.selector}"
    if failure.kind in NOTES:
        yield NOTES[failure.kind]
    for title, entries in (("Stack", failure.stack), ("Warnings", failure.warnings)):
        if entries:
            yield f"{title}:"
            yield from (f"    {entry}" for entry in entries)


def _cause(failure: Failure) -> str:
    head = failure.class_ or HEADS.get(failure.kind)
    cause = ": ".join(filter(None, (head, failure.message_text))) or failure.kind
    if failure.line is None or failure.column is None:
        return cause
    return f"{cause} (line {failure.line}, column {failure.column})"


def _around(line: str, column: int) -> tuple[str, int]:
    """What is shown of a line, and the column there; of a long one only what surrounds the column."""
    if len(line) <= 2 * AROUND:
        return line, column
    start, end = max(0, column - 1 - AROUND), column - 1 + AROUND
    before, after = "…" if start else "", "…" if end < len(line) else ""
    return f"{before}{line[start:end]}{after}", column - start + len(before)


def _caret(line: str, column: int) -> str:
    """A caret below a column, counted from 1; tabs stay tabs, so that it stands where it should."""
    return "".join("\t" if character == "\t" else " " for character in line[: column - 1]) + "^"
