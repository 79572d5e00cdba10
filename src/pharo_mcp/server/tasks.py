"""Tasks: calls of tools whose work goes on after their answer, for all clients of the process.

A task is an evaluation of the image under the same id. Kept here is only what the image does not know: whose
it is, until when it is kept, and the last state that was seen, since one that has ended stays. A thread asks
the image for the states of those that have not ended; `Tasks.wait` waits for the end of one.

Source: the page on tasks of the specification of 2025-11-25, and the extension io.modelcontextprotocol/tasks.
"""

import os
import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from threading import Condition, Thread
from time import gmtime, sleep, strftime, time
from typing import NamedTuple

from pharo_mcp.protocol.call import Call, ClientQuestion, request_for
from pharo_mcp.protocol.catalog import CallFailed, LongWork, TextContent, ToolError, ToolResult, Unfinished
from pharo_mcp.protocol.revisions import MODERN_REVISIONS, NEWEST_LEGACY, Revision
from pharo_mcp.times import TASK_MILLISECONDS
from pharo_mcp.wire.jsonrpc import Id, InternalError, JsonRpcError, Notification

from .lifecycle import or_logged

TASK_CHECK_SECONDS = 0.25
"""The interval at which the image is asked how far tasks are."""
TASK_POLL_MILLISECONDS = 1_000
"""The interval at which clients are told to ask for their tasks."""
TASK_SILENCE_SECONDS = 60.0
"""How long an image may leave questions about a task unanswered before the task has failed."""


WORKING, INPUT_REQUIRED = "working", "input_required"
COMPLETED, FAILED, CANCELLED = "completed", "failed", "cancelled"
ENDED = (COMPLETED, FAILED, CANCELLED)

RELATED = "io.modelcontextprotocol/related-task"
"""The member of `_meta` that names the task to which a message belongs; legacy revisions only."""
STOPPED = "cancelled"
"""The kind of error of work that was stopped."""
UNKNOWN = "unknownEvaluation"
"""The kind of error for an evaluation that the image does not have."""
LONGEST_MESSAGE = 500
"""Characters of a status message."""
TASK_ID = r"t-([0-9a-f]{8})[0-9a-f]{22}"
MOST_TASKS = 200
"""Tasks that are kept; a new one takes the place of the oldest that has ended."""
FULL = f"{MOST_TASKS} tasks are working already. Nothing ran. Wait until some of them have ended."
MODERN = [*MODERN_REVISIONS.values()][-1]


class TaskState(NamedTuple):
    """How far a task is, since when.

    What a tool reports as an error is `is_error`; `error` is what is no result at all. `result` is what the
    call would have returned, if the image still has it.
    """

    status: str
    at: float
    message: str | None = None
    how_far: Unfinished | None = None
    is_error: bool = False
    error: JsonRpcError | None = None
    result: ToolResult | None = None

    @classmethod
    def of(cls, result: ToolResult, now: float) -> "TaskState":
        """Return the state of a task whose call would have this result."""
        if how_far := result.unfinished:
            status = INPUT_REQUIRED if how_far.asks else WORKING
            return cls(status, now, how_far.message, how_far, result=result)
        if (result.error or {}).get("kind") == STOPPED:
            return cls(CANCELLED, now, "Its work was stopped.", result=result)
        message = _first_line(result) if result.is_error else None
        return cls(COMPLETED, now, message, is_error=result.is_error, result=result)

    @classmethod
    def of_failure(cls, message: str, now: float) -> "TaskState":
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


class Task:
    """A call whose work goes on after its answer, under the id of its evaluation, and its last state.

    `owner` is who may ask for it: one legacy client, or None for everybody who has the id. `token` is the
    progress token of the call, and `refused` its result if the work may never have begun. Times are in
    seconds since 1970.
    """

    def __init__(self, task_id: str, work: LongWork, created_at: float, owner: object = None) -> None:
        self.id = task_id
        self.work = work
        self.created_at = created_at
        self.owner = owner
        self.milliseconds = TASK_MILLISECONDS
        self.max_characters: int | None = None
        self.token: Id | None = None
        self.refused: ToolResult | None = None
        self.state = TaskState(WORKING, created_at)  # without a result: those of all tasks would be too much
        self.progress = float("-inf")
        self.answered_at = created_at

    @property
    def expires_at(self) -> float:
        """Until when it is kept."""
        return self.created_at + self.milliseconds / 1000

    @property
    def arguments(self) -> Mapping[str, object]:
        """What its work is followed with."""
        length = {} if self.max_characters is None else {"max_characters": self.max_characters}
        return {"evaluation_id": self.id, **length}

    def encode(self, state: TaskState, revision: Revision) -> dict[str, object]:
        """Return the wire form, without a result."""
        failed = state.is_error and not revision.modern
        message = {"statusMessage": state.message[:LONGEST_MESSAGE]} if state.message else {}
        kept, interval = ("ttlMs", "pollIntervalMs") if revision.modern else ("ttl", "pollInterval")
        return {
            "taskId": self.id,
            "status": FAILED if failed else state.status,
            **message,
            "createdAt": _in_iso_8601(self.created_at),
            "lastUpdatedAt": _in_iso_8601(state.at),
            kept: self.milliseconds,
            interval: TASK_POLL_MILLISECONDS,
        }

    def encode_in_full(self, state: TaskState) -> dict[str, object]:
        """Return the wire form for modern clients: with the questions, the result or the error."""
        encoded = self.encode(state, MODERN)
        if state.asks:
            questions = {question.id: request_for(question).encode() for question in state.asks}
            encoded["inputRequests"] = questions
        if state.error:
            encoded["error"] = {"code": state.error.code, "message": state.error.message}
        elif state.status == COMPLETED and state.result:
            encoded["result"] = {"resultType": "complete", **state.result.encode(MODERN)}
        return encoded


def _in_iso_8601(at: float) -> str:
    return f"{strftime('%Y-%m-%dT%H:%M:%S', gmtime(at))}.{int(at * 1000) % 1000:03}Z"


def _first_line(result: ToolResult) -> str:
    texts = (content.text for content in result.contents if isinstance(content, TextContent))
    return next(texts, "").partition("\n")[0]


class TaskEvent(NamedTuple):
    """A change of a task: another status, or progress, which only increases."""

    task: Task
    state: TaskState
    is_new_status: bool = True
    has_advanced: bool = False

    def legacy_notifications(self) -> Iterator[Notification]:
        """Return the notifications for the client of the task: of progress only if it asked for that."""
        task, state = self.task, self.state
        if self.is_new_status:
            yield Notification("notifications/tasks/status", task.encode(state, NEWEST_LEGACY))
        if self.has_advanced and state.how_far and task.token is not None:
            progress, message, total = state.how_far[:3]
            reported = {"progress": progress, "message": message, "total": total}
            params = {name: value for name, value in reported.items() if value is not None}
            meta = {RELATED: {"taskId": task.id}}
            yield Notification(
                "notifications/progress", {"progressToken": task.token, **params, "_meta": meta}
            )

    def modern_notification(self, meta: Mapping[str, object]) -> Notification:
        """Return what is reported to a client that listens to the task: all that `tasks/get` answers."""
        return Notification("notifications/tasks", {"_meta": meta, **self.task.encode_in_full(self.state)})


class Tasks:
    """The tasks of all clients. Any thread may use it.

    As long as some have not ended, a thread asks the image for them; `publish` is called with each change.
    """

    def __init__(self, publish: Callable[[TaskEvent], None], clock: Callable[[], float] = time) -> None:
        self._publish = publish
        self._clock = clock
        self._changed = Condition()  # notified of every new state
        self._kept: dict[str, Task] = {}
        self._is_watching = False

    def new_task(self, work: LongWork, owner: object = None) -> Task:
        """Return a task that is not kept yet. Its id is unguessable, and says when it was created.

        Raises:
            InternalError: If there are too many.
        """
        with self._changed:
            self._make_room()
        now = self._clock()
        return Task(f"t-{int(now):08x}{os.urandom(11).hex()}", work, now, owner)

    def add(self, task: Task) -> None:
        """Keep a task, and watch it until it has ended."""
        with self._changed:
            self._kept[task.id] = task
            if not self._is_watching:
                self._is_watching = True
                Thread(target=self._watch, name="tasks", daemon=True).start()

    def find(self, task_id: str, owner: object) -> Task | None:
        """Return the task of that id, if it is that owner's and is still kept."""
        task = self._kept.get(task_id)
        return task if task and task.owner is owner and not self._has_expired(task) else None

    def adopt(self, task_id: str, work: LongWork) -> Task | None:
        """Return the task that another process created under that id, if the image has it."""
        match = re.fullmatch(TASK_ID, task_id)
        if match is None or task_id in self._kept:
            return None
        task = Task(task_id, work, float(int(match[1], 16)))
        if self._has_expired(task):
            return None
        try:
            task.state = self._look(task)._replace(result=None)
        except ToolError:
            return None
        task.answered_at = self._clock()
        self.add(task)
        return task

    def all_of(self, owner: object) -> list[Task]:
        """Return the tasks of an owner, oldest first."""
        with self._changed:
            self._forget_expired()
            return [task for task in self._kept.values() if task.owner is owner]

    def look(self, task: Task) -> TaskState:
        """Return the state of a task now, with its result; a new one is published.

        Raises:
            ToolError: If the image does not answer.
        """
        if task.id not in self._kept:
            return TaskState.of_failure("The task has expired.", self._clock())
        try:
            return self._note(task, self._look(task))
        except ToolError as error:
            if error.kind != UNKNOWN:
                raise
            refused, now = task.refused, self._clock()
            seen = TaskState.of(refused, now) if refused else TaskState.of_failure(error.message, now)
            return self._note(task, seen)

    def cancel(self, task: Task) -> bool:
        """Stop the work of a task; return whether it had not ended by itself.

        Raises:
            ToolError: If the image does not answer.
        """
        if self.look(task).has_ended:
            return False
        task.work.stop({"evaluation_id": task.id}, Call())
        stopped = TaskState(CANCELLED, self._clock(), "It was cancelled by request.")
        return self._note(task, stopped) is stopped

    def wait(self, task: Task, call: Call, ask: Callable[[TaskState], None]) -> None:
        """Wait until a task has ended or is not kept, or the call that waits is cancelled.

        `ask` is called whenever the task waits for answers; it must return at once.
        """
        call.on_cancel(self._wake_waiting)
        state = None
        while (state := self._next_state(task, state, call)) and not state.has_ended:
            if state.asks:
                ask(state)

    def announce(self, task: Task) -> None:
        """Publish the state of a task soon, for a client that begins to listen to it."""

        def publish() -> None:
            try:
                self._publish(TaskEvent(task, self.look(task)))
            except ToolError:  # whatever follows is published as well
                return

        Thread(target=publish, name="announce a task", daemon=True).start()

    def _next_state(self, task: Task, last: TaskState | None, call: Call) -> TaskState | None:
        """Wait for another state than the last; None if the task is not kept or the call is cancelled."""
        with self._changed:
            while task.id in self._kept and not call.cancelled:
                if task.state is not last:
                    return task.state
                self._changed.wait()
        return None

    def _wake_waiting(self) -> None:
        with self._changed:
            self._changed.notify_all()

    def _watch(self) -> None:
        while unfinished := self._unfinished():
            for task in unfinished:
                or_logged("follow the task", partial(self._check, task), partial(self._fail, task))
            sleep(TASK_CHECK_SECONDS)

    def _unfinished(self) -> list[Task]:
        with self._changed:
            self._forget_expired()
            unfinished = [task for task in self._kept.values() if not task.state.has_ended]
            self._is_watching = bool(unfinished)
            return unfinished

    def _check(self, task: Task) -> None:
        try:
            self.look(task)
            task.answered_at = self._clock()
        except ToolError as error:
            if self._clock() - task.answered_at > TASK_SILENCE_SECONDS:
                self._fail(task, error.message)

    def _fail(self, task: Task, message: str) -> None:
        self._note(task, TaskState.of_failure(message, self._clock()))

    def _look(self, task: Task) -> TaskState:
        """Return the state of a task in the image. Raises ToolError."""
        try:
            return TaskState.of(task.work.follow(task.arguments, Call()), self._clock())
        except CallFailed as failure:
            return TaskState.of_failure(str(failure), self._clock())

    def _note(self, task: Task, seen: TaskState) -> TaskState:
        """Keep a new state, unless the task has ended already; return the state that it has then."""
        with self._changed:
            before = task.state
            if before.has_ended:
                return before._replace(result=seen.result)
            if (seen.status, seen.message) == (before.status, before.message):
                seen = seen._replace(at=before.at)
            task.state = seen._replace(result=None)
            has_advanced = seen.how_far is not None and seen.how_far.progress > task.progress
            if seen.how_far and has_advanced:
                task.progress = seen.how_far.progress
            self._changed.notify_all()
        self._publish(TaskEvent(task, seen, seen.status != before.status, has_advanced))
        return seen

    def _has_expired(self, task: Task) -> bool:
        return task.expires_at < self._clock()

    def _forget_expired(self) -> None:
        self._kept = {task.id: task for task in self._kept.values() if not self._has_expired(task)}
        self._changed.notify_all()

    def _make_room(self) -> None:
        self._forget_expired()
        if len(self._kept) >= MOST_TASKS:
            ended = next((task for task in self._kept.values() if task.state.has_ended), None)
            if ended is None:
                raise InternalError(FULL, {"kind": "busy"})
            del self._kept[ended.id]
