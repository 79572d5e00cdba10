"""The methods of MCP over what is offered."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Protocol

from pharo_mcp.jsonrpc import InternalError, InvalidParams, JsonRpcError
from pharo_mcp.protocol import InvalidArguments, Offers, ResourceNotFound, Revision, ToolError, ToolResult

from .errors import ResourceMissing
from .lifecycle import Lifecycle
from .router import BUSY, Method, Question

LISTS_FRESH_MS = 60_000
"""How long a list is good for: what is offered does not change while the process runs."""

EMPTY: tuple[object, ...] = (None, "", [], (), {})
"""Details of an error that say nothing."""


class Offered(Protocol):
    """A tool, resource, template or prompt, as lists see it."""

    def encode(self, revision: Revision) -> dict[str, object]:
        """Its wire form."""


class Features:
    """Answers the methods that list and use what is offered, which is asked for when first needed."""

    def __init__(self, offers: Callable[[], Offers]) -> None:
        self._get_offers = offers

    @cached_property
    def _offers(self) -> Offers:
        return self._get_offers()

    def list_tools(self, question: Question) -> dict[str, object]:
        """The tools that are listed."""
        return _list("tools", [tool for tool in self._offers.tools if tool.listed], question)

    def list_resources(self, question: Question) -> dict[str, object]:
        """All resources with a fixed URI."""
        return _list("resources", self._offers.resources, question)

    def list_templates(self, question: Question) -> dict[str, object]:
        """All families of resources."""
        return _list("resourceTemplates", self._offers.templates, question)

    def list_prompts(self, question: Question) -> dict[str, object]:
        """All prompts."""
        return _list("prompts", self._offers.prompts, question)

    def call_tool(self, question: Question) -> dict[str, object]:
        """Run a tool; what it cannot do is a result, too."""
        name = _string(question, "name")
        tool = self._offers.find_tool(name)
        if tool is None:
            raise InvalidParams(f"no tool is named {name}")
        return tool.call(_arguments(question), question.call).encode(question.revision)

    def turn_away_call(self, question: Question) -> dict[str, object]:
        """Say that no worker was free in time: to a model, as a result."""
        return ToolResult.from_error(BUSY).encode(question.revision)

    def is_quick_call(self, question: Question) -> bool:
        """Whether a call is quick by its tool's rule, or of no tool at all, which is refused as quickly."""
        name, arguments = question.params.get("name"), question.params.get("arguments")
        tool = self._offers.find_tool(name) if isinstance(name, str) else None
        return tool is None or tool.is_quick(arguments if isinstance(arguments, dict) else {})

    def read_resource(self, question: Question) -> dict[str, object]:
        """Read one resource."""
        uri = _string(question, "uri")
        try:
            contents = self._offers.read(uri, question.call)
        except ResourceNotFound as missing:
            raise _missing(str(missing), uri, question.revision) from missing
        except ToolError as error:
            raise _failed(error) from error
        return {"contents": [contents.encode()]}

    def get_prompt(self, question: Question) -> dict[str, object]:
        """Fill the blanks of one prompt."""
        name = _string(question, "name")
        prompt = self._offers.find_prompt(name)
        if prompt is None:
            raise InvalidParams(f"no prompt is named {name}")
        try:
            return prompt.get(_arguments(question), question.call).encode()
        except InvalidArguments as error:
            raise InvalidParams(str(error)) from error
        except ToolError as error:
            raise _failed(error) from error


def table_of_methods(lifecycle: Lifecycle, features: Features) -> Mapping[str, Method]:
    """Every method there is. Source: the schemas of the revisions."""
    return {
        "initialize": Method(lifecycle.initialize, modern=False, opens=True),
        "ping": Method(lifecycle.ping, modern=False, opens=True),
        "server/discover": Method(lifecycle.discover, legacy=False, fresh_ms=LISTS_FRESH_MS),
        "tools/list": Method(features.list_tools, fresh_ms=LISTS_FRESH_MS),
        "tools/call": Method(
            features.call_tool,
            waits=True,
            turn_away=features.turn_away_call,
            is_quick=features.is_quick_call,
        ),
        "resources/list": Method(features.list_resources, fresh_ms=LISTS_FRESH_MS),
        "resources/templates/list": Method(features.list_templates, fresh_ms=LISTS_FRESH_MS),
        "resources/read": Method(features.read_resource, waits=True, fresh_ms=0),
        "prompts/list": Method(features.list_prompts, fresh_ms=LISTS_FRESH_MS),
        "prompts/get": Method(features.get_prompt, waits=True),
    }


def _list(member: str, offered: Sequence[Offered], question: Question) -> dict[str, object]:
    if question.params.get("cursor") is not None:
        raise InvalidParams("cursor is unknown: lists come in one page")
    return {member: [each.encode(question.revision) for each in offered]}


def _string(question: Question, name: str) -> str:
    value = question.params.get(name)
    if isinstance(value, str):
        return value
    raise InvalidParams(f"{name} is missing" if value is None else f"{name} must be a string")


def _arguments(question: Question) -> Mapping[str, object]:
    match question.params.get("arguments"):
        case None:
            return {}
        case dict() as arguments:
            return arguments
    raise InvalidParams("arguments must be an object")


def _missing(details: str, uri: str, revision: Revision) -> JsonRpcError:
    return InvalidParams(details, uri=uri) if revision.modern else ResourceMissing(details, uri)


def _failed(error: ToolError) -> InternalError:
    said = {name: value for name, value in error.details.items() if value not in EMPTY}
    return InternalError(error.message, {"kind": error.kind, **said})
