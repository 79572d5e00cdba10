"""Evaluated code that ended without a value."""

import re
from collections.abc import Iterator, Mapping

from pharo_mcp.image.replies.failure import Failure, numbered
from pharo_mcp.image.replies.shapes import write

from .base import ImageError

HEADS = {"syntax": "Syntax error"}
DONE_STAYS = "Its effects until then remain."
NOTES = {
    "syntax": "Nothing ran.",
    "undeclared": "Nothing ran.",
    "notRun": (
        "Nothing changed: wait and repeat it. stop_evaluation ends an evaluation by its id; with "
        "interrupt: true it interrupts another process, as the user can with Cmd-. in the image."
    ),
    "halt": "The code reached a halt and was ended there; no debugger was opened.",
    "question": "The code asked the user a question and was ended there: this client cannot ask its user.",
    "cannotAsk": DONE_STAYS,
    "warning": (
        "These packages were not replaced. export_package writes a package to a folder, after which it "
        "counts as saved; `(MCWorkingCopy forPackageNamed: 'NAME') modified: false` discards its changes."
    ),
    "timeout": DONE_STAYS,
    "cancelled": DONE_STAYS,
    "interrupted": DONE_STAYS,
    "saved": f"Call get_status to see when the image answers again. {DONE_STAYS}",
    "quitting": "Nothing answers until somebody opens the image again. What was not saved in it is lost.",
    "recursion": f"It was ended to protect the virtual machine. {DONE_STAYS}",
    "memory": f"It was ended to protect the virtual machine. {DONE_STAYS}",
    "debugger": "The code is stopped in a debugger in the image, where the user can inspect and resume it.",
}
"""A sentence for each kind, after the cause."""
DECLINED = {
    "declined": "The code asked this question and was ended there, because the person declined to answer.",
    "cancelled": "The code asked this question and was ended there, because the person closed it.",
    "failed": "The code asked this question and was ended there, because the client could not ask it.",
    "password": (
        "The code asked for a password and was ended there: no password is asked through a client, because "
        "what is entered may reach its model. Let the user evaluate this in the image."
    ),
    "unaskable": "The code asked this question and was ended there, because it cannot be asked in a form.",
    "busy": "The code asked this question and was ended there, because too many questions are open already.",
    "unanswered": "The code asked this question and was ended there, because nobody answered for 10 minutes.",
}
"""A sentence for each reason why a question was not answered."""

DEFINES_A_CLASS = re.compile(r"(\w*[sS]ubclass|named):(\w+:)+")
"""Selectors by which older versions of Pharo define classes and traits."""
OLD_DEFINITION = "This image has no such message: edit_code understands it as a definition and translates it."

ALL_OF_IT = {"UndefinedObject": ("nil",), "True": ("true",), "False": ("false",)}
"""The print strings of the instances of some classes; of others it may be only `a Foo`."""

AROUND = 100
"""Characters of a long line that are shown on either side of the error."""

FATES = frozenset({"exception", "protocol", *NOTES})
"""The kinds of all such errors."""


class SmalltalkError(ImageError):
    """The code did not compile, or its evaluation ended without a value.

    The message begins with the cause; the position follows, or the receiver and the selector where neither
    cause nor stack shows them, then the stack. `note` replaces the usual sentence for its kind.
    """

    def __init__(self, failure: Failure, note: str | None = None) -> None:
        super().__init__("\n".join(_lines(failure, note or _note(failure))))
        self.kind = failure.kind
        self.failure = failure

    @property
    def details(self) -> Mapping[str, object]:
        """The failure as the image reported it."""
        return write(self.failure)


def _note(failure: Failure) -> str | None:
    if failure.kind == "cancelled" and not failure.stack:
        return None  # nothing of it ran, as the message says
    return DECLINED.get(failure.declined or "") or NOTES.get(failure.kind)


def _lines(failure: Failure, note: str | None) -> Iterator[str]:
    yield _cause(failure)
    if failure.source_line is not None and failure.column is not None:
        line, column = _around(failure.source_line, failure.column)
        yield f"    {line}"
        yield f"    {_caret(line, column)}"
    if failure.near:
        yield f"Similar names: {', '.join(failure.near)}"
    if failure.receiver is not None and not _says_receiver(failure):
        yield f"Receiver: {failure.receiver}"
    if failure.selector is not None and not _says_selector(failure):
        yield f"Selector: {failure.selector}"
    if note:
        yield note
    if failure.class_ == "MessageNotUnderstood" and DEFINES_A_CLASS.fullmatch(failure.selector or ""):
        yield OLD_DEFINITION
    for title, entries in (("Stack", tuple(numbered(failure.stack))), ("Warnings", failure.warnings)):
        if entries:
            yield f"{title}:"
            yield from (f"    {entry}" for entry in entries)
    yield from (str(frame) for frame in failure.frames if frame.shows_more_than("nil"))
    if failure.error_id:
        yield f"error_id: {failure.error_id}, to evaluate in a frame"


def _says_receiver(failure: Failure) -> bool:
    """Return whether the cause shows the receiver, or the class that the stack begins with is all of it."""
    receiver = failure.receiver or ""
    if re.search(rf"(?<!\w){re.escape(receiver)}(?!\w)", failure.message_text):
        return True
    receiver_class = re.split(r"\(|>>", next(iter(failure.stack), ""), maxsplit=1)[0]
    return bool(receiver_class) and receiver in ALL_OF_IT.get(
        receiver_class, (f"a {receiver_class}", f"an {receiver_class}")
    )


def _says_selector(failure: Failure) -> bool:
    shown = "\n".join((failure.message_text, *failure.stack))
    return bool(re.search(rf"(?:#|>>){re.escape(failure.selector or '')}(?![\w:])", shown))


def _cause(failure: Failure) -> str:
    head = failure.class_ or HEADS.get(failure.kind)
    cause = ": ".join(filter(None, (head, failure.message_text))) or failure.kind
    if failure.line is None or failure.column is None:
        return cause
    return f"{cause} (line {failure.line}, column {failure.column})"


def _around(line: str, column: int) -> tuple[str, int]:
    """A line and the column in it; of a long line only the part around the column."""
    if len(line) <= 2 * AROUND:
        return line, column
    start, end = max(0, column - 1 - AROUND), column - 1 + AROUND
    before, after = "…" if start else "", "…" if end < len(line) else ""
    return f"{before}{line[start:end]}{after}", column - start + len(before)


def _caret(line: str, column: int) -> str:
    """A caret below a column, counted from 1; tabs are kept so that it lines up."""
    return "".join("\t" if character == "\t" else " " for character in line[: column - 1]) + "^"
