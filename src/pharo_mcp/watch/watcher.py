"""Watches an image for a person: what is new in it, as lines of text and as JSON."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from difflib import unified_diff
from itertools import count
from queue import Empty, SimpleQueue
from typing import NamedTuple

from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.errors import ImageError, to_the_user
from pharo_mcp.image.replies.code import Change
from pharo_mcp.image.replies.image import (
    Activity,
    AnsweredCall,
    EndedEvaluation,
    Events,
    ImageEvent,
    RunningEvaluation,
    Status,
)
from pharo_mcp.image.watch import ImageUpdate
from pharo_mcp.strict_json import write_shape
from pharo_mcp.times import RECONNECT_MIN_SECONDS


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
            undone = " (undone)" if observation.is_taken_back else ""
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
    for name, value in write_shape(observation).items():
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


WATCH_SECONDS = 0.5
"""The interval at which `watch` asks what happened, unless the image announces something."""

UNASKED = frozenset({"/changes", "/evaluation", "/registrations", "/status"})
"""Requests that a pharo-mcp also sends by itself, watchers included: reported only when they fail."""
UNDO = "/undo"
"""The request whose changes undo others."""
PAGE = 100
"""Changes with their sources that are asked for at once."""
MOST_LISTED = 500
"""Changes that are looked at for whether they are undone: as many as an image lists at once."""
HISTORY = 200
"""Calls and changes from before that are reported at first, at most."""
RECENT = 200
"""Evaluations whose reported end is remembered."""


class Watcher:
    """Watches one image: asks it twice a second, and at once when it announces an event.

    Of what happened before, the last `history` calls and changes are reported first.
    """

    def __init__(self, client: ImageClient, history: int = HISTORY) -> None:
        self._client = client
        self._history = history
        self._updates: SimpleQueue[ImageUpdate | None] = SimpleQueue()
        self._ended = False
        self._session: str | None = None
        self._image_session: str | None = None
        self._forget()

    def observations(self) -> Iterator[Observation]:
        """Yield what happens until `stop`. Called once.

        Raises:
            ImageError: If there is no image at first. One that is lost later is looked for again.
        """
        yield self._begin(self._client.status())
        self._client.watch(self._updates.put)
        while not self._ended:
            try:
                yield from self._look()
            except ImageError as error:
                yield Lost(to_the_user(error.message))
                yield from self._find_again()
            yield from self._wait(WATCH_SECONDS)

    def stop(self) -> None:
        """End `observations` soon. Called from any thread."""
        self._ended = True
        self._updates.put(None)

    def _forget(self) -> None:
        self._next: int | None = None
        self._started: frozenset[str] = frozenset()
        self._awaited: dict[str, str] = {}  # evaluations whose end is to be reported, and their first lines
        self._ends_reported: deque[str] = deque(maxlen=RECENT)

    def _begin(self, status: Status) -> Watched:
        image_session = status.image_session or status.session
        if image_session != self._image_session:  # the list of changes outlives the companion's sessions
            self._image_session = image_session
            self._last_change = 0
            self._undone: frozenset[int] = frozenset()
        if status.session != self._session:
            self._session = status.session
            self._forget()
        return Watched(status.name, status.session, status.system, status.image, status.read_only)

    def _find_again(self) -> Iterator[Observation]:
        while not self._ended:
            yield from self._wait(RECONNECT_MIN_SECONDS)
            try:
                found = [self._begin(self._client.status()), *self._look()]
            except ImageError:
                continue
            yield from found
            return

    def _wait(self, seconds: float) -> Iterator[Observation]:
        """Wait for an update of the image, at most that long, and yield what it says."""
        try:
            update = self._updates.get(timeout=seconds)
        except Empty:
            return
        while update is not None:
            if isinstance(update, Events):
                observed = map(_observed, update.events)
                yield from (each for each in observed if each is not None)
            if self._updates.empty():
                return
            update = self._updates.get()

    def _look(self) -> Iterator[Observation]:
        activity = self._client.ask(endpoints.ACTIVITY, since=self._next, evaluations=tuple(self._awaited))
        is_first = self._next is None
        changes, undo_states = self._changes(activity.last_change)
        self._next = activity.next
        happened: list[AnsweredCall | Change] = [*changes]
        happened += [each for each in activity.calls if self._is_reported(each)]
        happened.sort(key=lambda each: each.at)
        yield from happened[-self._history if is_first else 0 :]
        yield from undo_states
        yield from self._evaluations(activity, [] if is_first else activity.calls)

    def _is_reported(self, call: AnsweredCall) -> bool:
        """Return whether a call is reported: not if it only repeats the reported end of an evaluation.

        A call whose evaluation goes on is not, either, since the evaluation is.
        """
        if call.path in UNASKED:
            return call.error is not None and call.evaluation is None
        return call.evaluation is None or (not call.running and self._is_new_end(call.evaluation))

    def _is_new_end(self, evaluation: str) -> bool:
        is_new = evaluation not in self._ends_reported
        self._ends_reported.append(evaluation)
        return is_new

    def _evaluations(self, activity: Activity, calls: Iterable[AnsweredCall]) -> Iterator[Observation]:
        """Yield those that run long, those that have ended since they were seen, and all that run."""
        long = [each for each in activity.running if each.elapsed >= WATCH_SECONDS]
        yield from (Started(each) for each in long if each.evaluation not in self._started)
        self._started = frozenset(each.evaluation for each in long)
        for ended in activity.ended:
            if self._is_new_end(ended.evaluation):
                yield Ended(ended, self._awaited[ended.evaluation])
        if activity.running or self._awaited:
            yield AllRunning(activity.running)
        left = {each.evaluation: each.subject for each in calls if each.running and each.evaluation}
        self._awaited = left | {each.evaluation: each.expression for each in activity.running}

    def _changes(self, last: int) -> tuple[list[Change], list[UndoState]]:
        """Return the new changes, oldest first, and earlier ones that were undone or redone."""
        known = self._last_change
        if last == known:
            return [], []
        is_first = self._next is None
        new = self._changes_after(known, self._history if is_first else None)
        states = []
        if is_first or any(each.tool == UNDO for each in new):
            log = self._client.ask(endpoints.CHANGES, limit=MOST_LISTED).changes
            undone = frozenset(each.change for each in log if each.is_taken_back)
            changed = {each.change for each in log if each.change <= known} & (undone ^ self._undone)
            states = [UndoState(each, each in undone) for each in sorted(changed)]
            self._undone = undone
        self._last_change = max([last, *(each.change for each in new)])
        return new, states

    def _changes_after(self, known: int, most: int | None) -> list[Change]:
        """Return the changes with numbers above `known`, but only the newest `most`; oldest first.

        Several changes can have one number, and pages can overlap while changes are made.
        """
        found: dict[Change, None] = {}
        for offset in count(0, PAGE) if most is None else range(0, most, PAGE):
            limit = PAGE if most is None else min(PAGE, most - offset)
            page = self._client.ask(endpoints.CHANGES, offset=offset, limit=limit, details=True).changes
            found |= dict.fromkeys(each for each in page if each.change > known)
            if len(page) < limit or page[-1].change <= known:
                break
        oldest_first = list(found)
        oldest_first.reverse()
        return sorted(oldest_first, key=lambda change: change.change)


def _observed(event: ImageEvent) -> Message | Progressed | None:
    """Return what an event says to a person; code changes are reported by the list of changes."""
    if event.kind == "log":
        return Message(event.level or "info", event.logger or "", event.data)
    if event.kind == "progress" and event.evaluation and event.progress is not None:
        return Progressed(event.evaluation, event.progress, event.total, event.message)
    return None
