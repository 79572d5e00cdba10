"""Tasks: calls of tools whose work goes on after their answer, for all clients of the process.

A task is an evaluation of the image under the same id. Here is only what the image does not know: whose it
is, until when it is kept, and the last state that was seen, since one that has ended stays.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from threading import Event, Lock, Thread
from time import time
from typing import NamedTuple

from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.tools import CallFailed, LongWork, ToolError, ToolResult
from pharo_mcp.times import TASK_CHECK_SECONDS, TASK_FIRST_CHECK_SECONDS, TASK_SILENCE_SECONDS
from pharo_mcp.wire.jsonrpc import InternalError

from .task_states import CANCELLED, WORKING, Task, TaskEvent, TaskState

LOG = logging.getLogger(__name__)

MOST_TASKS = 200
"""Tasks that are kept; a new one takes the place of the oldest that has ended."""
BUG = "pharo-mcp failed to follow the task; its log on stderr says why"
FULL = f"{MOST_TASKS} tasks are working already. Nothing ran. Wait until some of them have ended."
CANCELLED_BY_REQUEST = "It was cancelled by request."
EXPIRED = "The task has expired."
UNKNOWN = "unknownEvaluation"
"""The kind of error for an evaluation that the image does not have."""


class Seen(NamedTuple):
    """The state of a task, and what its call would return now if the image still has its evaluation."""

    state: TaskState
    result: ToolResult | None = None


class Entry:
    """A task, its last state, and what is to be done at its end.

    `refused` is the result of a call whose work never began.
    """

    def __init__(self, task: Task, state: TaskState, refused: ToolResult | None) -> None:
        self.task = task
        self.state = state
        self.refused = refused
        self.answered_at = state.at
        self.progress = float("-inf")
        self.at_end: list[Callable[[], None]] = []
        self.askers: list[Callable[[TaskState], None]] = []


class Tasks:
    """The tasks of all clients. Any thread may use it.

    As long as some have not ended, a thread asks the image for them; `publish` is called with each change.
    """

    def __init__(self, publish: Callable[[TaskEvent], None], clock: Callable[[], float] = time) -> None:
        self._publish = publish
        self._clock = clock
        self._lock = Lock()
        self._entries: dict[str, Entry] = {}
        self._is_watching = False
        self._hurry = Event()  # set for a new task, which may end soon, and for somebody who waits

    def new_task(self, work: LongWork) -> Task:
        """A task that is not kept yet. Its id is unguessable, and tells other processes when it was created.

        Raises:
            InternalError: If there are too many.
        """
        with self._lock:
            self._make_room()
        now = self._clock()
        return Task(f"t-{int(now):08x}{os.urandom(11).hex()}", work, now)

    def add(self, task: Task, state: TaskState | None = None, refused: ToolResult | None = None) -> TaskState:
        """Keep a task, and watch it until it has ended; its state."""
        entry = Entry(task, state or TaskState(WORKING, self._clock()), refused)
        with self._lock:
            self._entries[task.id] = entry
            self._hurry.set()
            if not self._is_watching:
                self._is_watching = True
                Thread(target=self._watch, name="tasks", daemon=True).start()
        return entry.state

    def find(self, task_id: str, owner: object) -> Task | None:
        """The task of that id, if it is that owner's and is still kept."""
        entry = self._entries.get(task_id)
        is_theirs = entry and entry.task.owner is owner and not self._has_expired(entry.task)
        return entry.task if entry and is_theirs else None

    def adopt(self, task_id: str, work: LongWork) -> Task | None:
        """The task that another process created under that id, if the image has it."""
        task = Task.created_before(task_id, work)
        if task is None or task_id in self._entries or self._has_expired(task):
            return None
        try:
            seen = self._look(task)
        except ToolError:
            return None
        self.add(task, seen.state)
        return task

    def last_state(self, task: Task) -> TaskState:
        """The last state of a task that was seen."""
        entry = self._entries.get(task.id)
        return entry.state if entry else TaskState.of_failure(EXPIRED, self._clock())

    def all_of(self, owner: object) -> list[tuple[Task, TaskState]]:
        """The tasks of an owner, oldest first, and their last states."""
        with self._lock:
            self._forget_expired()
            return [(each.task, each.state) for each in self._entries.values() if each.task.owner is owner]

    def look(self, task: Task) -> Seen:
        """The state of a task now, which is published if it is a new one, and its result.

        Raises:
            ToolError: If the image does not answer.
        """
        entry = self._entries.get(task.id)
        if entry is None:
            return Seen(TaskState.of_failure(EXPIRED, self._clock()))
        try:
            seen = self._look(task)
        except ToolError as error:
            if error.kind != UNKNOWN:
                raise
            seen = self._without_evaluation(entry, error)
        return Seen(self._note(entry, seen), seen.result)

    def cancel(self, task: Task) -> bool:
        """Stop the work of a task; whether it had not ended by itself.

        Raises:
            ToolError: If the image does not answer.
        """
        entry = self._entries.get(task.id)
        if entry is None or self.look(task).state.has_ended:
            return False
        task.work.stop({"evaluation_id": task.id}, Call())
        stopped = TaskState(CANCELLED, self._clock(), CANCELLED_BY_REQUEST)
        return self._note(entry, Seen(stopped)) is stopped

    def at_end(self, task_id: str, action: Callable[[], None]) -> None:
        """Call `action` when a task has ended; at once if it has, or is not kept. It must not block."""
        with self._lock:
            entry = self._entries.get(task_id)
            if entry and not entry.state.has_ended:
                entry.at_end.append(action)
                self._hurry.set()
                return
        action()

    def pass_questions(self, task_id: str, ask: Callable[[TaskState], None]) -> None:
        """Call `ask` with the state of a task whenever it waits for answers, now too. It must not block."""
        entry = self._entries.get(task_id)
        if entry:
            entry.askers.append(ask)
            if entry.state.asks:
                ask(entry.state)

    def announce(self, task: Task) -> None:
        """Publish the state of a task soon, for a client that begins to listen to it."""

        def publish() -> None:
            try:
                seen = self.look(task)
            except ToolError:  # whatever follows is published as well
                return
            self._publish(TaskEvent(task, seen.state, seen.result, is_new_status=True))

        Thread(target=publish, name="announce a task", daemon=True).start()

    def forget_all_of(self, owner: object) -> None:
        """Forget the tasks of an owner; their work goes on as that of other calls does."""
        with self._lock:
            for task_id in [each.task.id for each in self._entries.values() if each.task.owner is owner]:
                del self._entries[task_id]

    def _watch(self) -> None:
        pause = TASK_FIRST_CHECK_SECONDS
        while unfinished := self._unfinished():
            for entry in unfinished:
                self._check(entry)
            if self._hurry.wait(pause):
                self._hurry.clear()
                pause = TASK_FIRST_CHECK_SECONDS
            pause = min(2 * pause, TASK_CHECK_SECONDS)

    def _unfinished(self) -> list[Entry]:
        with self._lock:
            self._forget_expired()
            unfinished = [each for each in self._entries.values() if not each.state.has_ended]
            self._is_watching = bool(unfinished)
            return unfinished

    def _check(self, entry: Entry) -> None:
        try:
            self.look(entry.task)
            entry.answered_at = self._clock()
        except ToolError as error:
            if self._clock() - entry.answered_at > TASK_SILENCE_SECONDS:
                self._note(entry, Seen(TaskState.of_failure(error.message, self._clock())))
        except Exception:  # a bug in following one task must not keep the others from ending
            LOG.exception("Following task %s failed", entry.task.id)
            self._note(entry, Seen(TaskState.of_failure(BUG, self._clock())))

    def _look(self, task: Task) -> Seen:
        """The state of a task in the image. Raises ToolError."""
        try:
            result = task.work.follow(task.arguments, Call())
        except CallFailed as failure:
            return Seen(TaskState.of_failure(str(failure), self._clock()))
        state = TaskState.of(result, self._clock())
        return Seen(state, result)

    def _without_evaluation(self, entry: Entry, error: ToolError) -> Seen:
        """What a task has come to whose evaluation the image does not have."""
        if entry.refused:
            return Seen(TaskState.of(entry.refused, self._clock()), entry.refused)
        return Seen(TaskState.of_failure(error.message, self._clock()))

    def _note(self, entry: Entry, seen: Seen) -> TaskState:
        """Keep a new state, unless the task has ended already; the state that it has then."""
        with self._lock:
            before, state = entry.state, seen.state
            if before.has_ended:
                return before
            entry.state = state = state._replace(at=before.at) if state.is_like(before) else state
            actions, entry.at_end = (entry.at_end, []) if state.has_ended else ([], entry.at_end)
            has_advanced = state.how_far is not None and state.how_far.progress > entry.progress
            entry.progress = state.how_far.progress if state.how_far and has_advanced else entry.progress
        is_new = state.status != before.status
        self._publish(TaskEvent(entry.task, state, seen.result, is_new, has_advanced))
        if state.asks:
            for ask in list(entry.askers):
                ask(state)
        for action in actions:
            action()
        return state

    def _has_expired(self, task: Task) -> bool:
        return task.expires_at < self._clock()

    def _forget_expired(self) -> None:
        for entry in [each for each in self._entries.values() if self._has_expired(each.task)]:
            del self._entries[entry.task.id]
            for action in entry.at_end:
                action()

    def _make_room(self) -> None:
        self._forget_expired()
        if len(self._entries) >= MOST_TASKS:
            ended = next((each for each in self._entries.values() if each.state.has_ended), None)
            if ended is None:
                raise InternalError(FULL, {"kind": "busy"})
            del self._entries[ended.task.id]
