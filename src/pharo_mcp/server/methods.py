"""The methods of MCP: over a catalog of tools, resources and prompts, and over the tasks of a client."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple, TypeVar

from pharo_mcp.protocol.call import AskableClient, ClientRequest, Result, request_for
from pharo_mcp.protocol.catalog import (
    CallFailed,
    Catalog,
    InvalidArguments,
    LongWork,
    Prompt,
    Resource,
    ResourceNotFound,
    Skill,
    Tool,
    ToolError,
    ToolResult,
)
from pharo_mcp.protocol.revisions import MODERN_REVISIONS, Revision
from pharo_mcp.times import TASK_MILLISECONDS
from pharo_mcp.wire.jsonrpc import InternalError, InvalidParams, InvalidRequest, JsonRpcError, MethodNotFound

from .lifecycle import (
    REQUIRED_FOR_TASKS,
    Lifecycle,
    MissingClientCapability,
    RequestContext,
    ResourceMissing,
    check_capability,
    object_in,
    page_of,
    text_in,
    token_in,
)
from .subscriptions import Subscriptions
from .tasks import COMPLETED, RELATED, Task, Tasks, TaskState

TASK_START_SECONDS = 0.5
"""How long the start of a task waits for the end of its work, for clients that take either."""
DISCOVERY_FRESH_MILLISECONDS = 60_000
"""How long clients may cache `server/discover`, which does not change while the process runs."""
LISTS_FRESH_MILLISECONDS = 2_000
"""How long clients may cache a list; list_changed arrives within the same time."""

EMPTY: tuple[object, ...] = (None, "", [], (), {})
"""Values of error details that are omitted."""

NO_RESULT = "the image no longer has the result of the task: it keeps those of the last evaluations only"

Found = TypeVar("Found")
Listed = Tool | Resource | Prompt | Skill
Answer = Callable[[RequestContext], dict[str, object]]
"""Returns the result of a request, or raises JsonRpcError."""


class Features:
    """Answers the methods that use the catalog, which is fetched for each request."""

    def __init__(self, catalog: Callable[[], Catalog], tasks: "TaskMethods") -> None:
        self._get_catalog = catalog
        self._tasks = tasks

    def list_of(self, member: str, entries: Callable[[Catalog], Iterable[Listed]]) -> Answer:
        """Return the method that lists entries of the catalog."""

        def answer(context: RequestContext) -> dict[str, object]:
            encoded = [each.encode(context.revision) for each in entries(self._get_catalog())]
            return page_of(member, encoded, context)

        return answer

    def call_tool(self, context: RequestContext) -> dict[str, object]:
        """Call a tool; its failures are results, too."""
        name = text_in(context.params, "name")
        match self._find(lambda catalog: catalog.find_tool_or_reason(name)):
            case Tool() as tool:
                try:
                    if task := self._tasks.call(tool, context.arguments, context):
                        return task
                    result = tool.call(context.arguments, context.call)
                except CallFailed as failure:
                    raise InternalError(str(failure)) from failure
            case str(reason):
                result = ToolResult.from_error(reason)
            case _:
                raise InvalidParams(f"no tool is named {name}")
        check_capability(result.error or {}, context.revision)
        return result.encode(context.revision)

    def read_resource(self, context: RequestContext) -> dict[str, object]:
        """Read one resource."""
        uri = text_in(context.params, "uri")
        read = self._find(lambda catalog: catalog.find_reader(uri))
        if read is None:
            raise _missing(f"no resource has the URI {uri}", uri, context.revision)
        try:
            contents = read(context.call)
        except ResourceNotFound as missing:
            raise _missing(str(missing), uri, context.revision) from missing
        except ToolError as error:
            check_capability({**error.details, "kind": error.kind}, context.revision)
            raise _failed(error) from error
        return {"contents": [each.encode() for each in contents]}

    def get_skill(self, context: RequestContext) -> dict[str, object]:
        """Return one skill as it is listed."""
        uri = text_in(context.params, "uri")
        skill = self._find(lambda catalog: catalog.find_skill(uri))
        if skill is None:
            raise InvalidParams(f"no skill has the URI {uri}")
        return {"skill": skill.encode(context.revision)}

    def get_prompt(self, context: RequestContext) -> dict[str, object]:
        """Get a prompt with its arguments filled in."""
        name = text_in(context.params, "name")
        prompt = self._find(lambda catalog: catalog.find_prompt(name))
        if prompt is None:
            raise InvalidParams(f"no prompt is named {name}")
        try:
            return prompt.get(context.arguments, context.call).encode()
        except InvalidArguments as error:
            raise InvalidParams(str(error)) from error
        except ToolError as error:
            check_capability({**error.details, "kind": error.kind}, context.revision)
            raise _failed(error) from error

    def complete(self, context: RequestContext) -> dict[str, object]:
        """Complete an argument of a prompt or a parameter of a resource template."""
        argument = object_in(context.params, "argument")
        name, begun = text_in(argument, "name"), text_in(argument, "value")
        if name not in self._parameters(object_in(context.params, "ref")):
            raise InvalidParams(f"no argument is named {name}")
        filled = object_in(object_in(context.params, "context", {}), "arguments", {})
        words = {key: word for key, word in filled.items() if isinstance(word, str)}
        try:
            return {"completion": self._get_catalog().complete(name, begun, words, context.call).encode()}
        except ToolError as error:
            raise _failed(error) from error

    def _find(self, find: Callable[[Catalog], Found | None]) -> Found | None:
        """Return an entry of the catalog; one that is missing is looked for again in an updated catalog."""
        catalog = self._get_catalog()
        found = find(catalog)
        return find(catalog.updated()) if found is None else found

    def _parameters(self, reference: Mapping[str, object]) -> Sequence[str]:
        match reference:
            case {"type": "ref/prompt", "name": str(name)}:
                if prompt := self._find(lambda catalog: catalog.find_prompt(name)):
                    return [argument.name for argument in prompt.arguments]
                raise InvalidParams(f"no prompt is named {name}")
            case {"type": "ref/resource", "uri": str(uri)}:
                parameters = self._find(lambda catalog: catalog.find_parameters(uri))
                if parameters is not None:
                    return parameters
                raise InvalidParams(f"no resource or template has the URI {uri}")
        raise InvalidParams("ref must be a ref/prompt with its name or a ref/resource with its uri")


def _missing(details: str, uri: str, revision: Revision) -> JsonRpcError:
    return InvalidParams(details, uri=uri) if revision.modern else ResourceMissing(details, uri)


def _failed(error: ToolError) -> InternalError:
    details = {name: value for name, value in error.details.items() if value not in EMPTY}
    return InternalError(error.message, {"kind": error.kind, **details})


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
        if context.is_of_modern_tasks:
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
        context.check_tasks_declared()
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


class Method(NamedTuple):
    """One row of the table of methods."""

    answer: Answer
    legacy: bool = True
    modern: bool = True
    needs_notifications: bool = False  # needed only where notifications are sent
    needs_tasks: bool = False  # of a legacy revision: only the one that has them
    opens: bool = False  # allowed before the handshake
    stays_open: bool = False  # acknowledged, not answered: its sender listens until it cancels
    may_ask: bool = False  # its client can be asked something before it is answered
    waits: bool = False  # asks the image, so it is run while others are handled
    has_deadline: bool = True  # answered within ANSWER_SECONDS
    fresh_milliseconds: int | None = None  # how long a modern client may cache the result


def table_of_methods(
    lifecycle: Lifecycle, features: Features, subscriptions: Subscriptions, tasks: TaskMethods
) -> Mapping[str, Method]:
    """Return every method there is, by name. Source: the schemas of the revisions."""
    listing = partial(Method, fresh_milliseconds=LISTS_FRESH_MILLISECONDS)
    notifying = partial(Method, modern=False, needs_notifications=True)
    asking = partial(Method, may_ask=True, waits=True)
    task = partial(Method, needs_tasks=True, waits=True)
    return {
        "initialize": Method(lifecycle.initialize, modern=False, opens=True),
        "ping": Method(lifecycle.ping, modern=False, opens=True),
        "server/discover": Method(
            lifecycle.discover, legacy=False, fresh_milliseconds=DISCOVERY_FRESH_MILLISECONDS
        ),
        "tools/list": listing(
            features.list_of("tools", lambda catalog: (tool for tool in catalog.tools if tool.listed))
        ),
        "tools/call": asking(features.call_tool),
        "tasks/get": task(tasks.get_task),
        "tasks/cancel": task(tasks.cancel_task),
        "tasks/list": task(tasks.list_tasks, modern=False),
        "tasks/result": task(tasks.get_result, modern=False, may_ask=True, has_deadline=False),
        "tasks/update": task(tasks.update_task, legacy=False),
        "resources/list": listing(features.list_of("resources", lambda catalog: catalog.resources)),
        "resources/templates/list": listing(
            features.list_of("resourceTemplates", lambda catalog: catalog.templates)
        ),
        "resources/read": asking(features.read_resource, fresh_milliseconds=0),
        "prompts/list": listing(features.list_of("prompts", lambda catalog: catalog.prompts)),
        "prompts/get": asking(features.get_prompt),
        "skills/list": listing(features.list_of("skills", lambda catalog: catalog.skills)),
        "skills/get": listing(features.get_skill, waits=True),
        "completion/complete": Method(features.complete, waits=True),
        "resources/subscribe": notifying(subscriptions.subscribe),
        "resources/unsubscribe": notifying(subscriptions.unsubscribe),
        "logging/setLevel": notifying(subscriptions.set_level),
        "subscriptions/listen": Method(subscriptions.listen, legacy=False, stays_open=True),
    }


def find_method(methods: Mapping[str, Method], name: str, revision: Revision | None) -> Method:
    """Return the method of that name; the revision is None before the first handshake.

    Raises:
        InvalidRequest: If the handshake has to come first.
        MethodNotFound: If the revision has no such method.
    """
    method = methods.get(name)
    if revision is None:
        if method and method.opens:
            return method
        raise InvalidRequest(f"initialize must come before {name}")
    if method is None:
        raise MethodNotFound(name)
    if revision.modern and not method.modern:
        raise MethodNotFound(name, {"supported": list(MODERN_REVISIONS)})
    if not revision.modern and not (
        method.legacy
        and (revision.sends_notifications or not method.needs_notifications)
        and (revision.tasks or not method.needs_tasks)
    ):
        raise MethodNotFound(name)
    return method
