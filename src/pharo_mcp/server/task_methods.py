"""The methods of tasks for one client, in both kinds of revisions, and the calls that become tasks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress

from pharo_mcp.protocol.call import AskableClient, ClientRequest, Result
from pharo_mcp.protocol.catalog import Catalog
from pharo_mcp.protocol.questions import request_for
from pharo_mcp.protocol.tools import LongWork, Tool, ToolError, ToolResult
from pharo_mcp.times import TASK_MILLISECONDS, TASK_START_SECONDS
from pharo_mcp.wire.jsonrpc import InternalError, InvalidParams, MethodNotFound

from .lifecycle import (
    REQUIRED_FOR_TASKS,
    MissingClientCapability,
    RequestContext,
    check_capability,
    check_tasks_declared,
    declares_tasks,
    object_in,
    page_of,
    text_in,
    token_in,
)
from .tasks import COMPLETED, RELATED, Task, Tasks, TaskState

NO_RESULT = "the image no longer has the result of the task: it keeps those of the last evaluations only"


class TaskMethods:
    """Answers the methods of tasks for one client.

    `client` owns the tasks of a legacy client. A modern client has those whose ids it knows: it may come
    back over another connection, or to another process.
    """

    def __init__(self, tasks: Tasks, catalog: Callable[[], Catalog], client: object) -> None:
        self._tasks = tasks
        self._get_catalog = catalog
        self._client = client

    def call(
        self, tool: Tool, arguments: Mapping[str, object], context: RequestContext
    ) -> dict[str, object] | None:
        """Call a tool as a task, if a legacy client asks for one, or if a modern one takes one.

        A modern client gets the result instead if it is there at once. Return None if it is no task.
        """
        revision = context.revision
        if revision.modern and declares_tasks(context):
            return self._call_modern(tool, tool.long_work, arguments, context) if tool.long_work else None
        if revision.modern and tool.needs_task:
            raise MissingClientCapability(REQUIRED_FOR_TASKS)
        if revision.tasks and "task" in context.params:
            return self._call_legacy(tool, arguments, context)
        if revision.tasks and tool.needs_task:
            raise MethodNotFound(f"tools/call of {tool.name} without `task`")
        return None

    def get_task(self, context: RequestContext) -> dict[str, object]:
        """Return the state of a task; for modern clients with its result."""
        task = self._find(context)
        state = self._look(task)
        if not context.revision.modern:
            return task.encode(state, context.revision)
        if state.status == COMPLETED and state.result is None:
            raise InvalidParams(NO_RESULT)
        return task.encode_in_full(state)

    def list_tasks(self, context: RequestContext) -> dict[str, object]:
        """Return the tasks of the client."""
        tasks = self._tasks.all_of(self._client)
        return page_of("tasks", [task.encode(task.state, context.revision) for task in tasks], context)

    def get_result(self, context: RequestContext) -> dict[str, object]:
        """Wait for the end of a task; return what the call would have returned."""
        task = self._find(context)
        client = context.call.client
        self._tasks.wait(
            task, context.call, lambda state: ask_client(client, self._tasks, task, state) if client else None
        )
        state = self._look(task)
        if state.error:
            raise state.error
        if state.result is None:
            raise InvalidParams(NO_RESULT)
        return {**state.result.encode(context.revision), "_meta": {RELATED: {"taskId": task.id}}}

    def update_task(self, context: RequestContext) -> dict[str, object]:
        """Accept answers to questions. Those to questions that are not open are ignored."""
        responses = object_in(context.params, "inputResponses")
        task = self._find(context)
        for question in self._look(task).asks:
            result = responses.get(question.id)
            if isinstance(result, dict) and request_for(question).fits(result):
                task.work.answer(task.id, question, result)
        return {}

    def cancel_task(self, context: RequestContext) -> dict[str, object]:
        """Stop the work of a task."""
        task = self._find(context)
        try:
            was_working = self._tasks.cancel(task)
        except ToolError as error:
            raise InternalError(error.message, {"kind": error.kind}) from error
        if context.revision.modern:
            return {}
        if not was_working:
            raise InvalidParams(f"the task has ended already, with the status {task.state.status}")
        return task.encode(task.state, context.revision)

    def close(self) -> None:
        """Forget the tasks of a client that has gone and cannot come back."""
        self._tasks.forget_all_of(self._client)

    def _call_legacy(
        self, tool: Tool, arguments: Mapping[str, object], context: RequestContext
    ) -> dict[str, object]:
        milliseconds = _milliseconds_in(object_in(context.params, "task"))
        if not tool.long_work:
            raise MethodNotFound(f"tools/call of {tool.name} with `task`")
        task = self._tasks.new_task(tool.long_work, self._client)
        task.milliseconds, task.token = milliseconds, token_in(context.params)
        _begin(task, tool, arguments, context, 0)
        self._tasks.add(task)
        return {"task": task.encode(task.state, context.revision)}

    def _call_modern(
        self, tool: Tool, work: LongWork, arguments: Mapping[str, object], context: RequestContext
    ) -> dict[str, object]:
        task = self._tasks.new_task(work)
        result = _begin(task, tool, arguments, context, TASK_START_SECONDS)
        if not (result.unfinished or tool.needs_task):
            check_capability(result.error or {}, context.revision)
            return result.encode(context.revision)
        if result.unfinished:
            task.state = TaskState.of(result, task.created_at)._replace(result=None)
        self._tasks.add(task)
        return {"resultType": "task", **task.encode(task.state, context.revision)}

    def _find(self, context: RequestContext) -> Task:
        check_tasks_declared(context)
        task_id = text_in(context.params, "taskId")
        modern = context.revision.modern
        task = self._tasks.find(task_id, None if modern else self._client)
        if task is None and modern:
            work = next((tool.long_work for tool in self._get_catalog().tools if tool.long_work), None)
            task = self._tasks.adopt(task_id, work) if work else None
        if task is None:
            raise InvalidParams(f"there is no task {task_id}, or it has expired")
        return task

    def _look(self, task: Task) -> TaskState:
        """Return the state of a task; without an answer of the image, the last one unless it has ended."""
        try:
            return self._tasks.look(task)
        except ToolError as error:
            if task.state.has_ended:
                raise InternalError(error.message, {"kind": error.kind}) from error
            return task.state


def _begin(
    task: Task, tool: Tool, arguments: Mapping[str, object], context: RequestContext, seconds: float
) -> ToolResult:
    """Begin the work of a task; return what the call returns within some seconds."""
    length = arguments.get("max_characters")
    task.max_characters = length if isinstance(length, int) else None
    task.id = context.call.evaluation or task.id
    context.call.work_id, context.call.work_seconds = task.id, seconds
    result = tool.call(arguments, context.call)
    task.refused = result if result.is_error else None
    return result


def ask_client(client: AskableClient, tasks: Tasks, task: Task, state: TaskState) -> None:
    """Pass the questions of a task on to its legacy client, which waits for the result."""
    questions = {question.id: question for question in state.asks}

    def answer(request: ClientRequest, result: Result | None) -> None:
        task.work.answer(task.id, questions[request.name], result)
        with suppress(ToolError):  # whoever asks next must know that this question is answered
            tasks.look(task)

    meta = {"_meta": {RELATED: {"taskId": task.id}}}
    requests = [request_for(question) for question in state.asks]
    marked = [request._replace(params={**request.params, **meta}) for request in requests]
    client.ask(marked, task.id, answer, 0)


def _milliseconds_in(wanted: Mapping[str, object]) -> int:
    """Return how long a task is to be kept."""
    match wanted.get("ttl"):
        case None:
            return TASK_MILLISECONDS
        case int() | float() as milliseconds if milliseconds >= 0 and not isinstance(milliseconds, bool):
            return int(min(milliseconds, TASK_MILLISECONDS))
    raise InvalidParams("task.ttl must be a number of milliseconds")
