"""Reads from an image what AI assistants do in it, and reports what is new."""

from collections import deque
from collections.abc import Iterable, Iterator
from itertools import count
from queue import Empty, SimpleQueue

from pharo_mcp.image import endpoints
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.errors import ImageError, to_the_user
from pharo_mcp.image.replies.code import Change
from pharo_mcp.image.replies.image import Activity, AnsweredCall, Events, ImageEvent, Status
from pharo_mcp.image.watch import ImageUpdate
from pharo_mcp.times import RECONNECT_MIN_SECONDS

from .lines import (
    AllRunning,
    Ended,
    Lost,
    Message,
    Observation,
    Progressed,
    Started,
    UndoState,
    Watched,
)

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
            undone = frozenset(each.change for each in log if each.undone and each.tool != UNDO)
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
