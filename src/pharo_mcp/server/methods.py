"""The methods of MCP, over a catalog of tools, resources and prompts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TypeVar

from pharo_mcp.protocol.catalog import Catalog, InvalidArguments, ResourceNotFound
from pharo_mcp.protocol.revisions import Revision
from pharo_mcp.protocol.tools import CallFailed, Tool, ToolError, ToolResult
from pharo_mcp.times import DISCOVERY_FRESH_MILLISECONDS, LISTS_FRESH_MILLISECONDS
from pharo_mcp.wire.jsonrpc import InternalError, InvalidParams, JsonRpcError

from .abilities import check_capability
from .errors import ResourceMissing
from .lifecycle import Lifecycle
from .pages import page_of
from .router import BUSY, Method, RequestContext, always_quick, object_in, refuse, text_in
from .subscriptions import Subscriptions
from .task_extension import declares_tasks
from .task_methods import TaskMethods
from .tasks import Tasks

EMPTY: tuple[object, ...] = (None, "", [], (), {})
"""Values of error details that are omitted."""

Found = TypeVar("Found")


class Features:
    """Answers the methods that use the catalog, which is fetched for each request.

    `tasks` are made when `client` first needs them.
    """

    def __init__(self, catalog: Callable[[], Catalog], tasks: Callable[[], Tasks], client: object) -> None:
        self._get_catalog = catalog
        self._get_tasks = tasks
        self._client = client
        self._task_methods: TaskMethods | None = None

    @property
    def tasks(self) -> TaskMethods:
        """The methods of tasks."""
        if self._task_methods is None:
            self._task_methods = TaskMethods(self._get_tasks(), self._get_catalog, self._client)
        return self._task_methods

    def close(self) -> None:
        """Forget the client, who has gone."""
        if self._task_methods:
            self._task_methods.close()

    @property
    def _catalog(self) -> Catalog:
        return self._get_catalog()

    def list_tools(self, context: RequestContext) -> dict[str, object]:
        """The tools that are listed."""
        return page_of("tools", [tool for tool in self._catalog.tools if tool.listed], context)

    def list_resources(self, context: RequestContext) -> dict[str, object]:
        """All resources with a fixed URI."""
        return page_of("resources", self._catalog.resources, context)

    def list_templates(self, context: RequestContext) -> dict[str, object]:
        """All resource templates."""
        return page_of("resourceTemplates", self._catalog.templates, context)

    def list_prompts(self, context: RequestContext) -> dict[str, object]:
        """All prompts."""
        return page_of("prompts", self._catalog.prompts, context)

    def call_tool(self, context: RequestContext) -> dict[str, object]:
        """Call a tool; its failures are results, too."""
        try:
            return self._call_tool(text_in(context.params, "name"), context)
        except CallFailed as failure:
            raise InternalError(str(failure)) from failure

    def _call_tool(self, name: str, context: RequestContext) -> dict[str, object]:
        match self._find(lambda catalog: catalog.find_tool_or_reason(name)):
            case Tool() as tool if _concerns_tasks(tool, context):
                return self.tasks.call(tool, _arguments(context), context)
            case Tool() as tool:
                result = tool.call(_arguments(context), context.call)
            case str(reason):
                result = ToolResult.from_error(reason)
            case _:
                raise InvalidParams(f"no tool is named {name}")
        check_capability(result.error or {}, context.revision)
        return result.encode(context.revision)

    def answer_busy_call(self, context: RequestContext) -> dict[str, object]:
        """Report that no worker was free in time, as a result that a model sees; a task has none yet."""
        if context.revision.tasks and "task" in context.params:
            return refuse(context)
        return ToolResult.from_error(BUSY).encode(context.revision)

    def is_quick_call(self, context: RequestContext) -> bool:
        """Whether a call is quick by its tool's rule, or of an unknown tool, which is refused at once."""
        name, arguments = context.params.get("name"), context.params.get("arguments")
        tool = self._catalog.find_tool(name) if isinstance(name, str) else None
        given = arguments if isinstance(arguments, dict) else {}
        return tool is None or tool.is_quick(tool.input_schema.coerce(given))

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

    def get_prompt(self, context: RequestContext) -> dict[str, object]:
        """Get a prompt with its arguments filled in."""
        name = text_in(context.params, "name")
        prompt = self._find(lambda catalog: catalog.find_prompt(name))
        if prompt is None:
            raise InvalidParams(f"no prompt is named {name}")
        try:
            return prompt.get(_arguments(context), context.call).encode()
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
            return {"completion": self._catalog.complete(name, begun, words, context.call).encode()}
        except ToolError as error:
            raise _failed(error) from error

    def _find(self, find: Callable[[Catalog], Found | None]) -> Found | None:
        """An entry of the catalog; one that is missing is looked for again in an updated catalog."""
        catalog = self._catalog
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


def table_of_methods(
    lifecycle: Lifecycle, features: Features, subscriptions: Subscriptions
) -> Mapping[str, Method]:
    """Every method there is. Source: the schemas of the revisions."""
    return {
        "initialize": Method(lifecycle.initialize, modern=False, opens=True),
        "ping": Method(lifecycle.ping, modern=False, opens=True),
        "server/discover": Method(lifecycle.discover, legacy=False, fresh_ms=DISCOVERY_FRESH_MILLISECONDS),
        "tools/list": Method(features.list_tools, fresh_ms=LISTS_FRESH_MILLISECONDS),
        "tools/call": Method(
            features.call_tool,
            may_ask=True,
            waits=True,
            answer_busy=features.answer_busy_call,
            is_quick=features.is_quick_call,
        ),
        **methods_of_tasks(features),
        "resources/list": Method(features.list_resources, fresh_ms=LISTS_FRESH_MILLISECONDS),
        "resources/templates/list": Method(features.list_templates, fresh_ms=LISTS_FRESH_MILLISECONDS),
        "resources/read": Method(features.read_resource, may_ask=True, waits=True, fresh_ms=0),
        "prompts/list": Method(features.list_prompts, fresh_ms=LISTS_FRESH_MILLISECONDS),
        "prompts/get": Method(features.get_prompt, may_ask=True, waits=True),
        "completion/complete": Method(features.complete, waits=True),
        "resources/subscribe": Method(subscriptions.subscribe, modern=False, needs_notifications=True),
        "resources/unsubscribe": Method(subscriptions.unsubscribe, modern=False, needs_notifications=True),
        "logging/setLevel": Method(subscriptions.set_level, modern=False, needs_notifications=True),
        "subscriptions/listen": Method(subscriptions.listen, legacy=False, stays_open=True),
    }


def methods_of_tasks(features: Features) -> Mapping[str, Method]:
    """The methods of tasks in 2025-11-25, and of the extension in the modern era."""
    return {
        "tasks/get": _task_method(lambda context: features.tasks.get_task(context)),
        "tasks/cancel": _task_method(lambda context: features.tasks.cancel_task(context)),
        "tasks/list": _task_method(lambda context: features.tasks.list_tasks(context), modern=False),
        "tasks/result": _task_method(
            lambda context: features.tasks.get_result(context),
            modern=False,
            put_off=lambda context, go_on: features.tasks.await_result(context, go_on),
            may_ask=True,
        ),
        "tasks/update": _task_method(lambda context: features.tasks.update_task(context), legacy=False),
    }


_task_method = partial(Method, waits=True, needs_tasks=True, is_quick=always_quick)


def _concerns_tasks(tool: Tool, context: RequestContext) -> bool:
    """Whether a call may become a task, or must."""
    return (
        tool.needs_task or "task" in context.params or (context.revision.modern and declares_tasks(context))
    )


def _arguments(context: RequestContext) -> Mapping[str, object]:
    return object_in(context.params, "arguments", {})


def _missing(details: str, uri: str, revision: Revision) -> JsonRpcError:
    return InvalidParams(details, uri=uri) if revision.modern else ResourceMissing(details, uri)


def _failed(error: ToolError) -> InternalError:
    details = {name: value for name, value in error.details.items() if value not in EMPTY}
    return InternalError(error.message, {"kind": error.kind, **details})
