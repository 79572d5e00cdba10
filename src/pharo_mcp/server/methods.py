"""The methods of MCP, over a catalog of tools, resources and prompts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from pharo_mcp.protocol.catalog import (
    Catalog,
    InvalidArguments,
    Prompt,
    Resource,
    ResourceNotFound,
)
from pharo_mcp.protocol.revisions import MODERN_REVISIONS, Revision
from pharo_mcp.protocol.tools import CallFailed, Tool, ToolError, ToolResult
from pharo_mcp.times import DISCOVERY_FRESH_MILLISECONDS, LISTS_FRESH_MILLISECONDS
from pharo_mcp.wire.jsonrpc import InternalError, InvalidParams, InvalidRequest, JsonRpcError, MethodNotFound

from .lifecycle import (
    Lifecycle,
    RequestContext,
    ResourceMissing,
    check_capability,
    object_in,
    page_of,
    text_in,
)
from .subscriptions import Subscriptions
from .task_methods import TaskMethods

EMPTY: tuple[object, ...] = (None, "", [], (), {})
"""Values of error details that are omitted."""

Found = TypeVar("Found")
Listed = Tool | Resource | Prompt
Answer = Callable[[RequestContext], dict[str, object]]
"""Returns the result of a request, or raises JsonRpcError."""


class Features:
    """Answers the methods that use the catalog, which is fetched for each request."""

    def __init__(self, catalog: Callable[[], Catalog], tasks: TaskMethods) -> None:
        self._get_catalog = catalog
        self._tasks = tasks

    @property
    def _catalog(self) -> Catalog:
        return self._get_catalog()

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
            return {"completion": self._catalog.complete(name, begun, words, context.call).encode()}
        except ToolError as error:
            raise _failed(error) from error

    def _find(self, find: Callable[[Catalog], Found | None]) -> Found | None:
        """Return an entry of the catalog; one that is missing is looked for again in an updated catalog."""
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


def _missing(details: str, uri: str, revision: Revision) -> JsonRpcError:
    return InvalidParams(details, uri=uri) if revision.modern else ResourceMissing(details, uri)


def _failed(error: ToolError) -> InternalError:
    details = {name: value for name, value in error.details.items() if value not in EMPTY}
    return InternalError(error.message, {"kind": error.kind, **details})
