"""Tasks as values: whose they are, how far they are, and their wire form in both eras.

Source: the page on tasks of the specification of 2025-11-25, and the extension io.modelcontextprotocol/tasks.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from time import gmtime, strftime
from typing import NamedTuple

from pharo_mcp.protocol.questions import Question, request_for
from pharo_mcp.protocol.revisions import Revision
from pharo_mcp.protocol.tools import LongWork, TextContent, ToolResult, Unfinished
from pharo_mcp.times import TASK_MILLISECONDS, TASK_POLL_MILLISECONDS
from pharo_mcp.wire.jsonrpc import Id, InternalError, JsonRpcError

WORKING, INPUT_REQUIRED = "working", "input_required"
COMPLETED, FAILED, CANCELLED = "completed", "failed", "cancelled"
ENDED = (COMPLETED, FAILED, CANCELLED)

RELATED = "io.modelcontextprotocol/related-task"
"""The member of `_meta` that names the task to which a message belongs; legacy era only."""
STOPPED = "cancelled"
"""The kind of error of work that was stopped."""
LONGEST_MESSAGE = 500
"""Characters of a status message."""
TASK_ID = re.compile(r"t-([0-9a-f]{8})[0-9a-f]{22}")


class Task(NamedTuple):
    """A call whose work goes on after its answer. The id is that of its evaluation.

    `owner` is who may ask for it: one legacy client, or None for whoever has the id. `token` is the progress
    token of the call. Times are in seconds since 1970.
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
        """A task of whoever has its id, which another process may have created; None for other words."""
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
        """The state of a task whose call would have this result."""
        if how_far := result.unfinished:
            return cls(INPUT_REQUIRED if how_far.asks else WORKING, now, how_far.message, how_far)
        if (result.error or {}).get("kind") == STOPPED:
            return cls(CANCELLED, now, "Its work was stopped.")
        return cls(COMPLETED, now, _first_line(result) if result.is_error else None, is_error=result.is_error)

    @classmethod
    def of_failure(cls, message: str, now: float) -> TaskState:
        """The state of a task that has no result."""
        return cls(FAILED, now, message, error=InternalError(message))

    @property
    def asks(self) -> tuple[Question, ...]:
        """The questions whose answers it waits for."""
        return self.how_far.asks if self.how_far else ()

    @property
    def has_ended(self) -> bool:
        """Whether it stays as it is."""
        return self.status in ENDED

    def is_like(self, other: TaskState) -> bool:
        """Whether the same is reported to clients."""
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
    """The wire form of a task, without a result."""
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
    """The wire form of the modern era: with the questions, the result or the error."""
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
