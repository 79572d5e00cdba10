"""What a person sees of an image: the kinds of observations, as lines of text and as JSON."""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime
from difflib import unified_diff
from typing import NamedTuple

from pharo_mcp.image.replies.code import Change
from pharo_mcp.image.replies.image import AnsweredCall, EndedEvaluation, RunningEvaluation
from pharo_mcp.image.shapes import write


class Watched(NamedTuple):
    """From here on this image is watched; `session` changes with each start of its companion."""

    name: str
    session: str
    system: str | None = None
    image: str | None = None
    read_only: bool = False


class Lost(NamedTuple):
    """The image does not answer, for this reason. It is looked for again."""

    reason: str


class Started(NamedTuple):
    """An evaluation takes longer than most: it is reported when it ends, too."""

    evaluation: RunningEvaluation


class AllRunning(NamedTuple):
    """All evaluations that are running, with their seconds so far."""

    evaluations: tuple[RunningEvaluation, ...]


class Progressed(NamedTuple):
    """An evaluation reports its progress, perhaps of a `total`."""

    evaluation: str
    progress: float
    total: float | None = None
    message: str | None = None


class Ended(NamedTuple):
    """An evaluation that was seen running has ended; `expression` is its first line."""

    ended: EndedEvaluation
    expression: str


class UndoState(NamedTuple):
    """An earlier change is undone, or no longer undone."""

    change: int
    undone: bool


class Message(NamedTuple):
    """A log message of the image for its clients."""

    level: str
    logger: str
    data: object


Observation = (
    Watched | Lost | AnsweredCall | Started | AllRunning | Progressed | Ended | Change | UndoState | Message
)


KINDS: Mapping[type, str] = {
    Watched: "image",
    Lost: "lost",
    AnsweredCall: "call",
    Started: "started",
    Progressed: "progress",
    Ended: "ended",
    Change: "change",
    UndoState: "undo",
    Message: "message",
}
"""The kind of each observation in JSON."""
EVALUATIONS = ("evaluation", "ended")
"""The fields whose own members stand for them in JSON."""


def request_name(path: str) -> str:
    """Return the words of the path of a request, such as `code edit`."""
    return path.strip("/").replace("/", " ")


def first_line(text: str) -> str:
    """Return the first line of a text, with an ellipsis if there are more."""
    line, *more = text.splitlines() or [""]
    return f"{line} ..." if more else line


def result_of(ended: AnsweredCall | EndedEvaluation) -> str:
    """Return what a call or an evaluation returned, or its error; empty if it has no print string."""
    if error := ended.error:
        return ": ".join(filter(None, (error.class_ or error.kind, error.message_text)))
    return ended.print_string or ""


def what_of(change: Change) -> str:
    """Return what a change did, such as `added method`; the image says `addedMethod`."""
    return re.sub("[A-Z]", lambda capital: f" {capital[0].lower()}", change.action)


def difference(change: Change) -> Iterator[str]:
    """Yield what a change has changed, as lines that begin with `-`, `+` or a blank."""
    if change.protocol_before and change.protocol_after and change.protocol_before != change.protocol_after:
        yield f"- protocol: {change.protocol_before}"
        yield f"+ protocol: {change.protocol_after}"
    before, after = (change.before or "").splitlines(), (change.after or "").splitlines()
    for line in unified_diff(before, after, lineterm="", n=2):
        if not line.startswith(("---", "+++", "@@")):
            yield f"{line[0]} {line[1:]}"


def time_of_day(at: str | None = None) -> str:
    """Return the time of day in a time stamp of the image, or now."""
    return at[11:19] if at else f"{datetime.now():%H:%M:%S}"


def lines_of(observation: Observation) -> Iterator[str]:
    """Yield the lines of an observation, the first with its time; none for what runs right now."""
    match observation:
        case Watched(name, _, system, image, read_only):
            where = ", ".join(filter(None, (name, system, image, "read-only" if read_only else None)))
            yield f"{time_of_day()} watching {where}"
        case Lost(reason):
            yield f"{time_of_day()} lost the image: {first_line(reason)}"
        case AnsweredCall(_, at, path, subject):
            said = _words(request_name(path), subject)
            yield from _result_lines(f"{time_of_day(at)} {said}", observation)
        case Started(evaluation):
            yield f"{time_of_day()} running {evaluation.evaluation}: {evaluation.expression}"
        case Progressed(evaluation, progress, total, message):
            done = f"{progress:g} of {total:g}" if total else f"{progress:g}"
            yield f"{time_of_day()} progress of {evaluation}: {_words(done, message or '')}"
        case Ended(ended, expression):
            yield from _result_lines(f"{time_of_day()} ended {ended.evaluation}: {expression}", ended)
        case Change(number, tool, _, at):
            undone = " (undone)" if observation.undone and tool != "/undo" else ""
            what = f"{what_of(observation)} {observation.subject}{undone}"
            yield f"{time_of_day(at)} change {number} by {request_name(tool)}: {what}"
            yield from (f"    {line}" for line in difference(observation))
        case UndoState(number, undone):
            yield f"{time_of_day()} change {number} is {'undone' if undone else 'no longer undone'}"
        case Message(level, logger, data):
            yield f"{time_of_day()} {level} from {logger}: {data}"


def as_json(observation: Observation) -> dict[str, object] | None:
    """Return the JSON object of an observation; None for what runs right now."""
    kind = KINDS.get(type(observation))
    if kind is None:
        return None
    members: dict[str, object] = {"event": kind}
    for name, value in write(observation).items():
        members |= value if isinstance(value, dict) and name in EVALUATIONS else {name: value}
    return members


def _words(*words: str) -> str:
    return " ".join(filter(None, words))


def _result_lines(beginning: str, ended: AnsweredCall | EndedEvaluation) -> Iterator[str]:
    """Yield a line with the result, and the further lines of an error's text."""
    result = first_line(result_of(ended))
    sign = "!!" if ended.error else "->"
    yield f"{beginning}{f' {sign} {result}' if result else ''} ({ended.elapsed:.2f} s)"
    yield from (f"    {line}" for line in (ended.error.message_text.splitlines()[1:] if ended.error else ()))
