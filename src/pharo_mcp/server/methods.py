"""The methods of MCP over what is offered."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeVar

from pharo_mcp.jsonrpc import InternalError, InvalidParams, JsonRpcError
from pharo_mcp.protocol import InvalidArguments, Offers, ResourceNotFound, Revision, ToolError, ToolResult

from .audience import Audience
from .errors import ResourceMissing
from .lifecycle import Lifecycle
from .router import BUSY, Method, Question, text_in

FRESH_MS = 60_000
"""How long it is good for what there is: that does not change while the process runs."""
LISTS_FRESH_MS = 2_000
"""How long a list is good for: so soon is told that it is another one, too."""
PAGE = 250
"""What a list shows at once."""

EMPTY: tuple[object, ...] = (None, "", [], (), {})
"""Details of an error that say nothing."""


Found = TypeVar("Found")


class Offered(Protocol):
    """A tool, resource, template or prompt, as lists see it."""

    def encode(self, revision: Revision) -> dict[str, object]:
        """Its wire form."""


class Features:
    """Answers the methods that list and use what is offered, which is asked for each time."""

    def __init__(self, offers: Callable[[], Offers]) -> None:
        self._get_offers = offers

    @property
    def _offers(self) -> Offers:
        return self._get_offers()

    def list_tools(self, question: Question) -> dict[str, object]:
        """The tools that are listed."""
        return _page("tools", [tool for tool in self._offers.tools if tool.listed], question)

    def list_resources(self, question: Question) -> dict[str, object]:
        """All resources with a fixed URI."""
        return _page("resources", self._offers.resources, question)

    def list_templates(self, question: Question) -> dict[str, object]:
        """All families of resources."""
        return _page("resourceTemplates", self._offers.templates, question)

    def list_prompts(self, question: Question) -> dict[str, object]:
        """All prompts."""
        return _page("prompts", self._offers.prompts, question)

    def call_tool(self, question: Question) -> dict[str, object]:
        """Run a tool; what it cannot do is a result, too."""
        name = text_in(question.params, "name")
        tool = self._find(lambda offers: offers.find_tool(name))
        if tool is None:
            raise InvalidParams(f"no tool is named {name}")
        return tool.call(_arguments(question), question.call).encode(question.revision)

    def turn_away_call(self, question: Question) -> dict[str, object]:
        """Say that no worker was free in time: to a model, as a result."""
        return ToolResult.from_error(BUSY).encode(question.revision)

    def is_quick_call(self, question: Question) -> bool:
        """Whether a call is quick by its tool's rule, or of none that is known, which is refused soon."""
        name, arguments = question.params.get("name"), question.params.get("arguments")
        tool = self._offers.find_tool(name) if isinstance(name, str) else None
        return tool is None or tool.is_quick(arguments if isinstance(arguments, dict) else {})

    def read_resource(self, question: Question) -> dict[str, object]:
        """Read one resource."""
        uri = text_in(question.params, "uri")
        read = self._find(lambda offers: offers.find_reader(uri))
        if read is None:
            raise _missing(f"nothing is offered under {uri}", uri, question.revision)
        try:
            contents = read(question.call)
        except ResourceNotFound as missing:
            raise _missing(str(missing), uri, question.revision) from missing
        except ToolError as error:
            raise _failed(error) from error
        return {"contents": [each.encode() for each in contents]}

    def get_prompt(self, question: Question) -> dict[str, object]:
        """Fill the blanks of one prompt."""
        name = text_in(question.params, "name")
        prompt = self._find(lambda offers: offers.find_prompt(name))
        if prompt is None:
            raise InvalidParams(f"no prompt is named {name}")
        try:
            return prompt.get(_arguments(question), question.call).encode()
        except InvalidArguments as error:
            raise InvalidParams(str(error)) from error
        except ToolError as error:
            raise _failed(error) from error

    def complete(self, question: Question) -> dict[str, object]:
        """Go on with what somebody began to type into a blank of a prompt or of a template."""
        blank = _object(question.params, "argument")
        name, begun = text_in(blank, "name"), text_in(blank, "value")
        if name not in self._blanks(_object(question.params, "ref")):
            raise InvalidParams(f"there is no argument {name} to complete")
        filled = _object(_object(question.params, "context", {}), "arguments", {})
        words = {key: word for key, word in filled.items() if isinstance(word, str)}
        try:
            return {"completion": self._offers.complete(name, begun, words, question.call).encode()}
        except ToolError as error:
            raise _failed(error) from error

    def _find(self, find: Callable[[Offers], Found | None]) -> Found | None:
        """What is offered by a name; asked for anew before it is given up."""
        offers = self._offers
        found = find(offers)
        return find(offers.ask_anew()) if found is None else found

    def _blanks(self, reference: Mapping[str, object]) -> Sequence[str]:
        match reference:
            case {"type": "ref/prompt", "name": str(name)}:
                if prompt := self._find(lambda offers: offers.find_prompt(name)):
                    return [argument.name for argument in prompt.arguments]
                raise InvalidParams(f"no prompt is named {name}")
            case {"type": "ref/resource", "uri": str(uri)}:
                blanks = self._find(lambda offers: offers.find_blanks(uri))
                if blanks is not None:
                    return blanks
                raise InvalidParams(f"no resource or template has the URI {uri}")
        raise InvalidParams("ref must be a ref/prompt with its name or a ref/resource with its uri")


def table_of_methods(lifecycle: Lifecycle, features: Features, audience: Audience) -> Mapping[str, Method]:
    """Every method there is. Source: the schemas of the revisions."""
    return {
        "initialize": Method(lifecycle.initialize, modern=False, opens=True),
        "ping": Method(lifecycle.ping, modern=False, opens=True),
        "server/discover": Method(lifecycle.discover, legacy=False, fresh_ms=FRESH_MS),
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
        "completion/complete": Method(features.complete, waits=True),
        "resources/subscribe": Method(audience.subscribe, modern=False, for_news=True),
        "resources/unsubscribe": Method(audience.unsubscribe, modern=False, for_news=True),
        "logging/setLevel": Method(audience.set_level, modern=False, for_news=True),
        "subscriptions/listen": Method(audience.listen, legacy=False, stays_open=True),
    }


def _page(member: str, offered: Sequence[Offered], question: Question) -> dict[str, object]:
    """The part of a list that begins where the cursor says; with a cursor if there is more of it."""
    later_pages = range(PAGE, len(offered), PAGE)
    cursors = {None: 0} | {str(start): start for start in later_pages}
    cursor = question.params.get("cursor")
    if not isinstance(cursor, str | None) or cursor not in cursors:
        raise InvalidParams("cursor is none that a list gave")
    start = cursors[cursor]
    more = {"nextCursor": str(start + PAGE)} if start + PAGE in later_pages else {}
    return {member: [each.encode(question.revision) for each in offered[start : start + PAGE]], **more}


def _arguments(question: Question) -> Mapping[str, object]:
    return _object(question.params, "arguments", {})


def _object(
    params: Mapping[str, object], name: str, default: Mapping[str, object] | None = None
) -> Mapping[str, object]:
    match params.get(name, default):
        case dict() as given:
            return given
        case None:
            if default is not None:
                return default
            raise InvalidParams(f"{name} is missing")
    raise InvalidParams(f"{name} must be an object")


def _missing(details: str, uri: str, revision: Revision) -> JsonRpcError:
    return InvalidParams(details, uri=uri) if revision.modern else ResourceMissing(details, uri)


def _failed(error: ToolError) -> InternalError:
    said = {name: value for name, value in error.details.items() if value not in EMPTY}
    return InternalError(error.message, {"kind": error.kind, **said})
