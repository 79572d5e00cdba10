"""Tasks: calls of tools whose work goes on after their answer, for all clients of the process.

A task is an evaluation of the image under the same id. Here is only what the image does not know: whose it
is, until when it is kept, and the last state that was seen, since one that has ended stays. A thread asks the
image for the states of those that have not ended; `Tasks.wait` waits for the end of one.

Source: the page on tasks of the specification of 2025-11-25, and the extension io.modelcontextprotocol/tasks.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from threading import Condition, Event, Thread
from time import gmtime, strftime, time
from typing import NamedTuple

from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.questions import ClientQuestion, request_for
from pharo_mcp.protocol.revisions import MODERN_REVISIONS, NEWEST_LEGACY, Revision
from pharo_mcp.protocol.tools import CallFailed, LongWork, TextContent, ToolError, ToolResult, Unfinished
from pharo_mcp.times import (
    TASK_CHECK_SECONDS,
    TASK_FIRST_CHECK_SECONDS,
    TASK_MILLISECONDS,
    TASK_POLL_MILLISECONDS,
    TASK_SILENCE_SECONDS,
)
from pharo_mcp.wire.jsonrpc import Id, InternalError, JsonRpcError, Notification

from .lifecycle import or_logged

WORKING, INPUT_REQUIRED = "working", "input_required"
COMPLETED, FAILED, CANCELLED = "completed", "failed", "cancelled"
ENDED = (COMPLETED, FAILED, CANCELLED)

RELATED = "io.modelcontextprotocol/related-task"
"""The member of `_meta` that names the task to which a message belongs; legacy revisions only."""
STOPPED = "cancelled"
"""The kind of error of work that was stopped."""
LONGEST_MESSAGE = 500
"""Characters of a status message."""
TASK_ID = re.compile(r"t-([0-9a-f]{8})[0-9a-f]{22}")
MOST_TASKS = 200
"""Tasks that are kept; a new one takes the place of the oldest that has ended."""
FULL = f"{MOST_TASKS} tasks are working already. Nothing ran. Wait until some of them have ended."
CANCELLED_BY_REQUEST = "It was cancelled by request."
EXPIRED = "The task has expired."
UNKNOWN = "unknownEvaluation"
"""The kind of error for an evaluation that the image does not have."""
MODERN = [*MODERN_REVISIONS.values()][-1]


class Task(NamedTuple):
    """A call whose work goes on after its answer. The id is that of its evaluation.

    `owner` is who may ask for it: one legacy client, or None for everybody who has the id. `token` is the
    progress token of the call. Times are in seconds since 1970.
    """

    id: str
    work: LongWork
    created_at: float
    owner: object = None
    milliseconds: int = TASK_MILLISECONDS
    max_characters: int | None = None
    token: Id | None = None

    @classmethod
    def created_before(cls, task_id: str, work: LongWork) -> Task | None:
        """Return the task of an id, which another process may have created; None for other words."""
        match = TASK_ID.fullmatch(task_id)
        return cls(task_id, work, float(int(match[1], 16))) if match else None

    @property
    def expires_at(self) -> float:
        """Until when it is kept."""
        return self.created_at + self.milliseconds / 1000

    @property
    def arguments(self) -> Mapping[str, object]:
        """What its work is followed with."""
        followed: dict[str, object] = {"evaluation_id": self.id}
        return (
            followed if self.max_characters is None else {**followed, "max_characters": self.max_characters}
        )


class TaskState(NamedTuple):
    """How far a task is, since when.

    What a tool reports as an error is `is_error`; `error` is what is no result at all.
    """

    status: str
    at: float
    message: str | None = None
    how_far: Unfinished | None = None
    is_error: bool = False
    error: JsonRpcError | None = None

    @classmethod
    def of(cls, result: ToolResult, now: float) -> TaskState:
        """Return the state of a task whose call would have this result."""
        if how_far := result.unfinished:
            return cls(INPUT_REQUIRED if how_far.asks else WORKING, now, how_far.message, how_far)
        if (result.error or {}).get("kind") == STOPPED:
            return cls(CANCELLED, now, "Its work was stopped.")
        return cls(COMPLETED, now, _first_line(result) if result.is_error else None, is_error=result.is_error)

    @classmethod
    def of_failure(cls, message: str, now: float) -> TaskState:
        """Return the state of a task that has no result."""
        return cls(FAILED, now, message, error=InternalError(message))

    @property
    def asks(self) -> tuple[ClientQuestion, ...]:
        """The questions whose answers it waits for."""
        return self.how_far.asks if self.how_far else ()

    @property
    def has_ended(self) -> bool:
        """Whether it stays as it is."""
        return self.status in ENDED

    def is_like(self, other: TaskState) -> bool:
        """Return whether the same is reported to clients."""
        return (self.status, self.message) == (other.status, other.message)


class TaskEvent(NamedTuple):
    """A change of a task: its state now, and its result if it has ended.

    It may have another status, or have made progress, which only increases.
    """

    task: Task
    state: TaskState
    result: ToolResult | None = None
    is_new_status: bool = True
    has_advanced: bool = False


def encode(task: Task, state: TaskState, revision: Revision) -> dict[str, object]:
    """Return the wire form of a task, without a result."""
    failed = state.is_error and not revision.modern
    message = {"statusMessage": state.message[:LONGEST_MESSAGE]} if state.message else {}
    kept, interval = ("ttlMs", "pollIntervalMs") if revision.modern else ("ttl", "pollInterval")
    return {
        "taskId": task.id,
        "status": FAILED if failed else state.status,
        **message,
        "createdAt": _in_iso_8601(task.created_at),
        "lastUpdatedAt": _in_iso_8601(state.at),
        kept: task.milliseconds,
        interval: TASK_POLL_MILLISECONDS,
    }


def encode_in_full(
    task: Task, state: TaskState, result: ToolResult | None, revision: Revision
) -> dict[str, object]:
    """Return the wire form for modern clients: with the questions, the result or the error."""
    encoded = encode(task, state, revision)
    if state.asks:
        encoded["inputRequests"] = {question.id: request_for(question).encode() for question in state.asks}
    if state.error:
        encoded["error"] = {"code": state.error.code, "message": state.error.message}
    elif state.status == COMPLETED and result:
        encoded["result"] = {"resultType": "complete", **result.encode(revision)}
    return encoded


def _in_iso_8601(at: float) -> str:
    return f"{strftime('%Y-%m-%dT%H:%M:%S', gmtime(at))}.{int(at * 1000) % 1000:03}Z"


def _first_line(result: ToolResult) -> str:
    texts = (content.text for content in result.contents if isinstance(content, TextContent))
    return next(texts, "").partition("\n")[0]


def legacy_notifications(event: TaskEvent) -> Iterator[Notification]:
    """Return the notifications for the client of a task: of its new status, and of progress if asked for."""
    task, state = event.task, event.state
    if event.is_new_status:
        yield Notification("notifications/tasks/status", encode(task, state, NEWEST_LEGACY))
    if event.has_advanced and state.how_far and task.token is not None:
        progress, message, total = state.how_far[:3]
        reported = {"progress": progress, "message": message, "total": total}
        params = {name: value for name, value in reported.items() if value is not None}
        meta = {RELATED: {"taskId": task.id}}
        yield Notification("notifications/progress", {"progressToken": task.token, **params, "_meta": meta})


def modern_notification(event: TaskEvent, meta: Mapping[str, object]) -> Notification:
    """Return what is reported to a client that listens to a task: all that `tasks/get` answers."""
    return Notification(
        "notifications/tasks",
        {"_meta": meta, **encode_in_full(event.task, event.state, event.result, MODERN)},
    )


class Seen(NamedTuple):
    """The state of a task, and what its call would return now if the image still has its evaluation."""

    state: TaskState
    result: ToolResult | None = None


class KeptTask:
    """A task and its last state.

    `refused` is the result of a call whose work never began.
    """

    def __init__(self, task: Task, state: TaskState, refused: ToolResult | None) -> None:
        self.task = task
        self.state = state
        self.refused = refused
        self.answered_at = state.at
        self.progress = float("-inf")


class Tasks:
    """The tasks of all clients. Any thread may use it.

    As long as some have not ended, a thread asks the image for them; `publish` is called with each change.
    """

    def __init__(self, publish: Callable[[TaskEvent], None], clock: Callable[[], float] = time) -> None:
        self._publish = publish
        self._clock = clock
        self._lock = Condition()  # notified of every new state
        self._entries: dict[str, KeptTask] = {}
        self._is_watching = False
        self._hurry = Event()  # set for a new task, which may end soon, and for somebody who waits

    def new_task(self, work: LongWork) -> Task:
        """Return a task that is not kept yet. Its id is unguessable, and says when it was created.

        Raises:
            InternalError: If there are too many.
        """
        with self._lock:
            self._make_room()
        now = self._clock()
        return Task(f"t-{int(now):08x}{os.urandom(11).hex()}", work, now)

    def add(self, task: Task, state: TaskState | None = None, refused: ToolResult | None = None) -> TaskState:
        """Keep a task, and watch it until it has ended; its state."""
        entry = KeptTask(task, state or TaskState(WORKING, self._clock()), refused)
        with self._lock:
            self._entries[task.id] = entry
            self._hurry.set()
            if not self._is_watching:
                self._is_watching = True
                Thread(target=self._watch, name="tasks", daemon=True).start()
        return entry.state

    def find(self, task_id: str, owner: object) -> Task | None:
        """Return the task of that id, if it is that owner's and is still kept."""
        entry = self._entries.get(task_id)
        is_theirs = entry and entry.task.owner is owner and not self._has_expired(entry.task)
        return entry.task if entry and is_theirs else None

    def adopt(self, task_id: str, work: LongWork) -> Task | None:
        """Return the task that another process created under that id, if the image has it."""
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
        """Return the last state of a task that was seen."""
        entry = self._entries.get(task.id)
        return entry.state if entry else TaskState.of_failure(EXPIRED, self._clock())

    def all_of(self, owner: object) -> list[tuple[Task, TaskState]]:
        """Return the tasks of an owner, oldest first, and their last states."""
        with self._lock:
            self._forget_expired()
            return [(each.task, each.state) for each in self._entries.values() if each.task.owner is owner]

    def look(self, task: Task) -> Seen:
        """Return the state of a task now, which is published if it is a new one, and its result.

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
        """Stop the work of a task; return whether it had not ended by itself.

        Raises:
            ToolError: If the image does not answer.
        """
        entry = self._entries.get(task.id)
        if entry is None or self.look(task).state.has_ended:
            return False
        task.work.stop({"evaluation_id": task.id}, Call())
        stopped = TaskState(CANCELLED, self._clock(), CANCELLED_BY_REQUEST)
        return self._note(entry, Seen(stopped)) is stopped

    def wait(self, task: Task, call: Call, ask: Callable[[TaskState], None]) -> None:
        """Wait until a task has ended or is not kept, or the call that waits is cancelled.

        `ask` is called whenever the task waits for answers; it must return at once.
        """
        call.on_cancel(self._wake_waiting)
        self._hurry.set()
        state = None
        while (state := self._next_state(task, state, call)) and not state.has_ended:
            if state.asks:
                ask(state)

    def _next_state(self, task: Task, last: TaskState | None, call: Call) -> TaskState | None:
        """Wait for another state than the last; None if the task is not kept or the call is cancelled."""
        with self._lock:
            while (entry := self._entries.get(task.id)) and not call.cancelled:
                if entry.state is not last:
                    return entry.state
                self._lock.wait()
        return None

    def _wake_waiting(self) -> None:
        with self._lock:
            self._lock.notify_all()

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
            self._lock.notify_all()

    def _watch(self) -> None:
        pause = TASK_FIRST_CHECK_SECONDS
        while unfinished := self._unfinished():
            for entry in unfinished:
                or_logged("follow the task", partial(self._check, entry), partial(self._fail, entry))
            if self._hurry.wait(pause):
                self._hurry.clear()
                pause = TASK_FIRST_CHECK_SECONDS
            pause = min(2 * pause, TASK_CHECK_SECONDS)

    def _unfinished(self) -> list[KeptTask]:
        with self._lock:
            self._forget_expired()
            unfinished = [each for each in self._entries.values() if not each.state.has_ended]
            self._is_watching = bool(unfinished)
            return unfinished

    def _check(self, entry: KeptTask) -> None:
        try:
            self.look(entry.task)
            entry.answered_at = self._clock()
        except ToolError as error:
            if self._clock() - entry.answered_at > TASK_SILENCE_SECONDS:
                self._fail(entry, error.message)

    def _fail(self, entry: KeptTask, message: str) -> None:
        self._note(entry, Seen(TaskState.of_failure(message, self._clock())))

    def _look(self, task: Task) -> Seen:
        """Return the state of a task in the image. Raises ToolError."""
        try:
            result = task.work.follow(task.arguments, Call())
        except CallFailed as failure:
            return Seen(TaskState.of_failure(str(failure), self._clock()))
        state = TaskState.of(result, self._clock())
        return Seen(state, result)

    def _without_evaluation(self, entry: KeptTask, error: ToolError) -> Seen:
        """Return what a task has come to whose evaluation the image does not have."""
        if entry.refused:
            return Seen(TaskState.of(entry.refused, self._clock()), entry.refused)
        return Seen(TaskState.of_failure(error.message, self._clock()))

    def _note(self, entry: KeptTask, seen: Seen) -> TaskState:
        """Keep a new state, unless the task has ended already; the state that it has then."""
        with self._lock:
            before, state = entry.state, seen.state
            if before.has_ended:
                return before
            entry.state = state = state._replace(at=before.at) if state.is_like(before) else state
            has_advanced = state.how_far is not None and state.how_far.progress > entry.progress
            entry.progress = state.how_far.progress if state.how_far and has_advanced else entry.progress
            self._lock.notify_all()
        is_new = state.status != before.status
        self._publish(TaskEvent(entry.task, state, seen.result, is_new, has_advanced))
        return state

    def _has_expired(self, task: Task) -> bool:
        return task.expires_at < self._clock()

    def _forget_expired(self) -> None:
        for entry in [each for each in self._entries.values() if self._has_expired(each.task)]:
            del self._entries[entry.task.id]
            self._lock.notify_all()

    def _make_room(self) -> None:
        self._forget_expired()
        if len(self._entries) >= MOST_TASKS:
            ended = next((each for each in self._entries.values() if each.state.has_ended), None)
            if ended is None:
                raise InternalError(FULL, {"kind": "busy"})
            del self._entries[ended.task.id]
