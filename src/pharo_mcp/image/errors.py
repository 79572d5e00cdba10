"""The errors of requests to an image, by what they mean for the caller.

    ImageError
    ├── NothingRan              the request had no effect: repeating it is safe
    │   ├── ImageUnreachable    nothing listens at the address
    │   ├── ImageSilent         the port accepts connections, but nothing answers
    │   ├── ImageSaving         the image is being saved
    │   ├── StrangerOnPort      the program at the address is not a companion
    │   ├── WrongToken          the companion refused the token
    │   ├── ImageBusy           the image handles as many requests as it can
    │   └── RequestRefused      the image refused; the kind says why, for example badRequest
    ├── RequestCancelled        the caller has cancelled the request
    ├── AnswerLost              the request may have run; it was not sent again
    ├── CompanionFault          the companion failed; the request may have run
    └── SmalltalkError          the code ran, and ended without a value

What no caller tells from others has no class of its own: it is a NothingRan or an ImageError with a kind,
made where it is raised. Every message says what happened, why, and what to do next, to an assistant; none
contains a token.
"""

import re
from collections.abc import Iterator, Mapping

from pharo_mcp.image.hints import usable, usable_line
from pharo_mcp.image.loading import renew, start_request
from pharo_mcp.image.replies.evaluations import Failure, numbered
from pharo_mcp.strict_json import write_shape

REQUEST = re.compile(r"\b([Aa])sk the user to (\w)")
"""How a message asks an assistant for what only a person can do."""


def to_the_user(message: str) -> str:
    """Return a message to an assistant as one to its user: without "ask the user to"."""
    return REQUEST.sub(lambda request: request[2].upper() if request[1] == "A" else request[2], message)


class ImageError(Exception):
    """A request to an image failed. `kind` is a word for programs, and `details` are more for them."""

    kind = ""

    def __init__(self, message: str, kind: str = "", details: Mapping[str, object] | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.kind = kind or self.kind
        self.details = details or {}

    def add(self, words: str) -> None:
        """Append a line to the message."""
        self.message = f"{self.message}\n{words}"
        self.args = (self.message,)


class NothingRan(ImageError):
    """The request had no effect, so repeating it is safe."""


class ImageUnreachable(NothingRan):
    """No connection could be made; `listens` is whether the port is in use."""

    kind = "unreachable"

    def __init__(self, url: str, why: str = "nothing listens there", *, listens: bool = False) -> None:
        self.listens = listens
        super().__init__(
            f"No image answers at {url}: {why}. Nothing ran.\n"
            f"The image is closed, or its companion has not been started. {start_request()}\n"
            "The port changes with each start. Without --url, pharo-mcp finds it."
        )


class ImageSilent(NothingRan):
    """The port accepts connections, but nothing answers."""

    kind = "silent"

    def __init__(self, url: str) -> None:
        super().__init__(
            f"The program at {url} did not answer a status request in time. Nothing ran.\n"
            "If it is the image, it is frozen. Ask the user to interrupt an endless loop in its window with "
            "Cmd-. or Alt-., or end the image and start it again. Only ending it helps if code runs at "
            "the timer's priority (80) or has suspended processes of the system."
        )


class ImageSaving(NothingRan):
    """The image is being saved, and its companion is closed meanwhile.

    `image` is its name or URL, `seconds` how long it was awaited.
    """

    kind = "saving"

    def __init__(self, image: str, seconds: float = 0) -> None:
        lasts = f", and did not answer again within {seconds:.0f} seconds" if seconds else ""
        super().__init__(
            f"The image {image} is being saved{lasts}. Nothing ran.\nRepeat the call in a moment."
        )


class StrangerOnPort(NothingRan):
    """The program at the address is not a companion."""

    kind = "stranger"

    def __init__(self, url: str, why: str) -> None:
        super().__init__(
            f"The program at {url} is not the companion of pharo-mcp: {why}. Nothing ran.\n"
            "Another program uses that port. Ask the user to omit --url (PHARO_MCP_URL), so that pharo-mcp "
            "finds the image, or pass the value of `PharoMcp current url` in the image."
        )


class WrongToken(NothingRan):
    """The companion refused the token."""

    kind = "unauthorized"

    def __init__(self, url: str) -> None:
        super().__init__(
            f"The companion at {url} refused the token. Nothing ran.\n"
            "Each `PharoMcp start` makes a new token and writes it into a connection file in "
            "~/.pharo-mcp/images. Ask the user to omit --url and --token (PHARO_MCP_URL, PHARO_MCP_TOKEN), "
            "so that pharo-mcp reads both from there, or pass the token of that file."
        )


class ImageBusy(NothingRan):
    """The image handles as many requests as it can; the message says what it is doing."""

    kind = "busy"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what.rstrip('.')}. This request did not run.\n"
            + usable("Repeat it when some of the others have ended; stop_evaluation ends an evaluation.")
        )


class RequestCancelled(ImageError):
    """The caller has cancelled the request."""

    kind = "nobodyWaits"

    def __init__(self) -> None:
        super().__init__("The call was cancelled. It may have run, wholly or in part.")


class AnswerLost(ImageError):
    """The request was sent, and its answer did not arrive."""

    kind = "answerLost"

    def __init__(self, url: str, why: str) -> None:
        super().__init__(
            f"The answer of the image at {url} was lost: {why.rstrip('.')}. "
            "The request may have run, wholly or in part; it was not sent again.\n"
            "Check the state of the image before you repeat a request that changes it. "
            "If the image has ended, the next call restarts it, provided that this session started it "
            "(--practice, --launch); otherwise ask the user to start it again and evaluate "
            "`PharoMcp start` in it."
        )


class CompanionFault(ImageError):
    """The companion failed, or its answer is not valid."""

    kind = "internal"

    def __init__(self, url: str, why: str) -> None:
        super().__init__(
            f"The companion at {url} failed: {why.rstrip('.')}. "
            "The request may have run, wholly or in part; it was not sent again.\n"
            "Unless code that the companion runs on was changed, this is a fault of pharo-mcp: please report "
            "it with this text."
        )


ADVICE = {
    "readOnly": (
        "Nothing ran: the companion was started with `PharoMcp startReadOnly`, so the image cannot be "
        "changed. Only its user can allow changes, with `PharoMcp start` in the image."
    ),
    "unknownChange": "list_changes lists the changes that can be undone.",
    "unknownObject": (
        "The image keeps the last 200 objects that got an id, until the workspace is reset or the companion "
        "stops. Evaluate again to get a new id."
    ),
    "unknownWindow": "take_screenshot without a window shows all windows and lists their titles.",
    "unsavedChanges": (
        "import_package with overwrite: true discards them and loads the package from the folder; "
        "undo_change takes that back. export_package writes the version in the image to a folder."
    ),
}
"""What to do next after a refusal, by its kind, where the image's message does not say it."""
FIND_NAMES = {
    "unknownClass": "search with kind classes finds classes by part of their names.",
    "unknownMethod": (
        "get_class with include methods lists its methods; search finds implementors of a selector."
    ),
    "unknownPackage": "search with kind classes shows the package of each class.",
}
"""The same, where the image knows no similar name."""


def _advice(failure: Failure) -> str:
    """Return what to do next after a refusal; nothing if its message says so."""
    match failure.kind:
        case "conflict":  # the image's message has the first one
            others = [f"    change {each.change}: {each.reason}" for each in failure.conflicts[1:]]
            look = (
                "read_code shows the current code; list_changes with details: true shows the code "
                "before the changes."
            )
            return "\n".join((*others, look))
        case "forbidden" if failure.allowed:
            return (
                f"Allowed: {', '.join(failure.allowed)}. Only the image's user can allow others, "
                "by `PharoMcp startAllowing: { '/folder' }` in it."
            )
        case "unknownEndpoint":
            return (
                "The companion in the image is older than this pharo-mcp, or it is loaded only in part. Ask "
                f"the user to evaluate in a Playground of Pharo\n{renew()}"
            )
        case "unknownMethod" if failure.inherited:
            return f"It is inherited from {failure.inherited}; read_code reads it."
        case kind if kind in FIND_NAMES and not failure.near:
            return FIND_NAMES[kind]
        case kind:
            return ADVICE.get(kind, "")


class RequestRefused(NothingRan):
    """The image refused the request; it had no effect."""

    def __init__(self, failure: Failure) -> None:
        near = f" Similar names: {', '.join(failure.near)}." if failure.near else ""
        words = (failure.message_text or f"The image refused: {failure.kind}.") + near
        lines = (words, _advice(failure), *failure.warnings)
        message = "\n".join(filter(None, map(usable, lines)))
        super().__init__(message, failure.kind, write_shape(failure))
        self.failure = failure


HEADS = {"syntax": "Syntax error"}
DONE_STAYS = "Its effects until then remain."
NOTES = {
    "syntax": "Nothing ran.",
    "undeclared": "Nothing ran.",
    "notRun": (
        "Nothing changed: wait and repeat it. stop_evaluation ends an evaluation by its id, and with "
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
SMALLTALK_KINDS = frozenset({"exception", "protocol", *NOTES})
"""The kinds of all such errors."""


class SmalltalkError(ImageError):
    """The code did not compile, or its evaluation ended without a value.

    The message begins with the cause; the position follows, or the receiver and the selector where neither
    cause nor stack shows them, then the stack. `note` replaces the usual sentence for its kind.
    """

    def __init__(self, failure: Failure, note: str | None = None) -> None:
        message = "\n".join(_message_lines(failure, note or _note(failure)))
        super().__init__(message, failure.kind, write_shape(failure))
        self.failure = failure


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
        yield from usable_line(note)
    if failure.class_ == "MessageNotUnderstood" and DEFINES_A_CLASS.fullmatch(failure.selector or ""):
        yield from usable_line(OLD_DEFINITION)
    warnings = tuple(map(usable, failure.warnings))
    for title, entries in (("Stack", tuple(numbered(failure.stack))), ("Warnings", warnings)):
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
    """Return a line and the column in it; of a long line only the part around the column."""
    if len(line) <= 2 * AROUND:
        return line, column
    start, end = max(0, column - 1 - AROUND), column - 1 + AROUND
    before, after = "…" if start else "", "…" if end < len(line) else ""
    return f"{before}{line[start:end]}{after}", column - start + len(before)


def _caret(line: str, column: int) -> str:
    """Return a caret below a column, counted from 1; tabs are kept so that it lines up."""
    return "".join("\t" if character == "\t" else " " for character in line[: column - 1]) + "^"
