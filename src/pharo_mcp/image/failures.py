"""Errors that an image reports: requests that it refuses, and code that ended without a value."""

import re
from collections.abc import Iterator, Mapping

from pharo_mcp.image.errors import ImageError, NothingRan
from pharo_mcp.image.loading import renew
from pharo_mcp.image.replies.evaluations import Failure, numbered
from pharo_mcp.image.shapes import write


class RequestRefused(NothingRan):
    """The image refused the request; it had no effect."""

    def __init__(self, failure: Failure) -> None:
        self.kind = failure.kind
        self.failure = failure
        near = f" Similar names: {', '.join(failure.near)}." if failure.near else ""
        words = (failure.message_text or f"The image refused: {failure.kind}.") + near
        super().__init__("\n".join((words, *filter(None, [self.advice]), *failure.warnings)))

    @property
    def advice(self) -> str:
        """What to do next, unless the image's message says so."""
        return ""

    @property
    def details(self) -> Mapping[str, object]:
        """The failure as the image reported it."""
        return write(self.failure)


class UnknownClass(RequestRefused):
    """The image has no class and no trait of that name."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        return "" if self.failure.near else "search with kind classes finds classes by part of their names."


class UnknownMethod(RequestRefused):
    """That side of the class does not define the selector."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        if self.failure.inherited:
            return f"It is inherited from {self.failure.inherited}; read_code reads it."
        if self.failure.near:
            return ""
        return "get_class with include methods lists its methods; search finds implementors of a selector."


class UnknownPackage(RequestRefused):
    """The image has no package of that name."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        return "" if self.failure.near else "search with kind classes shows the package of each class."


class UnknownChange(RequestRefused):
    """The image has no change of that number."""

    advice = "list_changes lists the changes that can be undone."


class UnknownWindow(RequestRefused):
    """The image has no window of that title."""

    advice = "take_screenshot without a window shows all windows and lists their titles."


class NotAllowed(RequestRefused):
    """The user of the image did not allow it."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        if not self.failure.allowed:
            return ""
        return (
            f"Allowed: {', '.join(self.failure.allowed)}. Only the image's user can allow others, "
            "by `PharoMcp startAllowing: { '/folder' }` in it."
        )


class UndoConflict(RequestRefused):
    """The code to restore was changed since by somebody else; nothing was undone."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        # The image's message has the first one.
        others = [f"    change {each.change}: {each.reason}" for each in self.failure.conflicts[1:]]
        look = (
            "read_code shows the current code; list_changes with details: true shows the code "
            "before the changes."
        )
        return "\n".join((*others, look))


class UnsavedChanges(RequestRefused):
    """Loading the package would discard changes of it in the image."""

    advice = (
        "import_package with overwrite: true discards them and loads the package from the folder; "
        "undo_change takes that back. export_package writes the version in the image to a folder."
    )


class Unavailable(RequestRefused):
    """The image lacks a component that this needs; its message says which, and what to do instead."""


class UnknownEvaluation(RequestRefused):
    """The image has no evaluation of that id."""


class UnknownObject(RequestRefused):
    """The image has no object with that id."""

    advice = (
        "The image keeps the last 200 objects that got an id, until the companion stops. Evaluate again to "
        "get a new id."
    )


class EndpointMissing(RequestRefused):
    """The companion does not have the endpoint, although its version should."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        return (
            "The companion in the image is older than this pharo-mcp, or it is loaded only in part. Ask the "
            f"user to evaluate in a Playground of Pharo\n{renew()}"
        )


class ReadOnlyImage(RequestRefused):
    """The companion was started in read-only mode."""

    @property
    def advice(self) -> str:
        """See RequestRefused."""
        return (
            "Nothing ran: the companion was started with `PharoMcp startReadOnly`, so the image cannot be "
            "changed. Only its user can allow changes, with `PharoMcp start` in the image."
        )


def refusal_of(failure: Failure) -> RequestRefused:
    """The refusal for a failure that an image reported."""
    return REFUSALS.get(failure.kind, RequestRefused)(failure)


REFUSALS = {
    "conflict": UndoConflict,
    "forbidden": NotAllowed,
    "readOnly": ReadOnlyImage,
    "unavailable": Unavailable,
    "unknownChange": UnknownChange,
    "unknownClass": UnknownClass,
    "unknownEndpoint": EndpointMissing,
    "unknownEvaluation": UnknownEvaluation,
    "unknownMethod": UnknownMethod,
    "unknownObject": UnknownObject,
    "unknownPackage": UnknownPackage,
    "unknownWindow": UnknownWindow,
    "unsavedChanges": UnsavedChanges,
}
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
LONGEST_CAUSE = 2_000
"""Characters of the text of an exception that are shown."""
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
        super().__init__("\n".join(_message_lines(failure, note or _note(failure))))
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


def _message_lines(failure: Failure, note: str | None) -> Iterator[str]:
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
    head, text = failure.class_ or HEADS.get(failure.kind), failure.message_text
    if len(text) > LONGEST_CAUSE:
        text = f"{text[:LONGEST_CAUSE]}…"
    cause = ": ".join(filter(None, (head, text))) or failure.kind
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
