"""How a client and this server agree on a revision, and what the method of a request is given.

Legacy clients send `initialize` once. Modern ones name their revision in every request, in `params._meta`,
and may send `server/discover`. One process serves both, in any order: Claude Code sends `server/discover`
first and may send `initialize` afterwards.

The errors that MCP adds to those of JSON-RPC:

    JsonRpcError
    ├── UnsupportedProtocolVersion  -32022  a modern request names a revision that is not served
    ├── MissingClientCapability     -32021  a modern request needs a capability that was not declared with it
    └── ResourceMissing             -32002  nothing can be read under the URI; legacy revisions only
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, TypeVar

from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.revisions import LEGACY_REVISIONS, MODERN_REVISIONS, NEWEST_LEGACY, Revision
from pharo_mcp.wire.jsonrpc import Id, InvalidParams, JsonRpcError, is_id

VERSION = "io.modelcontextprotocol/protocolVersion"
CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO = "io.modelcontextprotocol/serverInfo"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
SKILLS = "io.modelcontextprotocol/skills"
TASKS = "io.modelcontextprotocol/tasks"
REQUIRED_FOR_TASKS: Mapping[str, object] = {"extensions": {TASKS: {}}}
ASKING_CAPABILITIES = {"person": "elicitation", "model": "sampling", "roots": "roots"}
"""The capability that a client declares, by whom it can then be asked to ask."""

PAGE = 250
"""Entries in one page of a list."""


class UnsupportedProtocolVersion(JsonRpcError):
    """A modern request names a revision that is not served.

    Only modern revisions are `supported`: a legacy one cannot be named in `_meta`.
    """

    code = -32022

    def __init__(self, requested: str) -> None:
        data = {"supported": list(MODERN_REVISIONS), "requested": requested}
        super().__init__(f"Unsupported protocol version: {requested}", data)


class MissingClientCapability(JsonRpcError):
    """A modern request needs a capability that its client did not declare with it."""

    code = -32021

    def __init__(self, required: Mapping[str, object]) -> None:
        super().__init__("Missing required client capability", {"requiredCapabilities": required})


class ResourceMissing(JsonRpcError):
    """Nothing can be read under the URI; modern revisions have InvalidParams for it."""

    code = -32002

    def __init__(self, details: str, uri: str) -> None:
        super().__init__(f"Resource not found: {details}", {"details": details, "uri": uri})


Result = TypeVar("Result")


def or_logged(what: str, work: Callable[[], Result], instead: Callable[[str], Result]) -> Result:
    """Return the result of some work; if it has a bug, log that with its traceback and return another one.

    Bugs of pharo-mcp are caught here and nowhere else. `what` completes "pharo-mcp failed to"; `instead` is
    called with a sentence about the bug, for the client.
    """
    try:
        return work()
    except Exception:
        import logging  # here: it is slow to import, and hardly ever needed

        logging.getLogger(__name__).exception("pharo-mcp failed to %s", what)
        return instead(f"pharo-mcp failed to {what}; its log on stderr says why")


class Identity(NamedTuple):
    """What the server reports about itself; `instructions` are for the model."""

    name: str
    version: str
    title: str
    instructions: str

    def encode(self, revision: Revision) -> Mapping[str, object]:
        """Return the wire form of `serverInfo`."""
        title = {"title": self.title} if revision.titles else {}
        return {"name": self.name, **title, "version": self.version}


class RequestContext(NamedTuple):
    """A request as its method sees it, and the capabilities that its client has declared."""

    params: Mapping[str, object]
    revision: Revision
    call: Call
    capabilities: Mapping[str, object] = {}

    @property
    def arguments(self) -> Mapping[str, object]:
        """The arguments of a call.

        Raises:
            InvalidParams: If they are not an object.
        """
        return object_in(self.params, "arguments", {})

    @property
    def is_of_modern_tasks(self) -> bool:
        """Whether it is a modern request whose client knows tasks."""
        extensions = self.capabilities.get("extensions")
        return (
            self.revision.modern and isinstance(extensions, dict) and isinstance(extensions.get(TASKS), dict)
        )

    def check_tasks_declared(self) -> None:
        """Refuse a modern request of a client that does not know tasks.

        Raises:
            MissingClientCapability: If it has not declared that it does.
        """
        if self.revision.modern and not self.is_of_modern_tasks:
            raise MissingClientCapability(REQUIRED_FOR_TASKS)


class Lifecycle:
    """Keeps the negotiated revision, and finds the revision of each request.

    `negotiated` is the revision of the last handshake; None before the first.
    """

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self.negotiated: Revision | None = None
        self._capabilities: object = None

    def revision_of(self, params: Mapping[str, object]) -> Revision | None:
        """Return the revision of a request; None before any handshake.

        Raises:
            InvalidParams: If it is modern and lacks what every modern request must have.
            UnsupportedProtocolVersion: If it names a revision that is not served.
        """
        meta = params.get("_meta")
        if not isinstance(meta, dict) or not meta.keys() & {VERSION, CLIENT_CAPABILITIES}:
            return self.negotiated
        version = meta.get(VERSION)
        if not isinstance(version, str):
            raise InvalidParams(f"_meta must hold {VERSION}, a string")
        if version not in MODERN_REVISIONS:
            raise UnsupportedProtocolVersion(version)
        if not isinstance(meta.get(CLIENT_CAPABILITIES), dict):
            raise InvalidParams(f"_meta must hold {CLIENT_CAPABILITIES}, an object")
        return MODERN_REVISIONS[version]

    def capabilities_of(self, params: Mapping[str, object], revision: Revision) -> Mapping[str, object]:
        """Return the capabilities that the sender of a request declares, with it or in its handshake."""
        meta = params.get("_meta") if revision.modern else None
        declared = meta.get(CLIENT_CAPABILITIES) if isinstance(meta, dict) else self._capabilities
        return declared if isinstance(declared, dict) else {}

    def initialize(self, context: RequestContext) -> dict[str, object]:
        """Accept a legacy client's revision if it is supported, else offer the newest; it may ask again.

        Raises:
            InvalidParams: If the client names none.
        """
        requested = context.params.get("protocolVersion")
        if not isinstance(requested, str):
            raise InvalidParams("protocolVersion must be a string")
        self._capabilities = context.params.get("capabilities")
        self.negotiated = revision = LEGACY_REVISIONS.get(requested, NEWEST_LEGACY)
        return {
            "protocolVersion": revision.name,
            "capabilities": _capabilities(revision),
            "serverInfo": self._identity.encode(revision),
            "instructions": self._identity.instructions,
        }

    def discover(self, context: RequestContext) -> dict[str, object]:
        """Describe the server, without a handshake."""
        return {
            "supportedVersions": list(MODERN_REVISIONS),
            "capabilities": _capabilities(context.revision),
            "instructions": self._identity.instructions,
        }

    def ping(self, context: RequestContext) -> dict[str, object]:
        """Show that the server answers."""
        return {}

    def complete(
        self, result: dict[str, object], fresh_milliseconds: int | None, revision: Revision
    ) -> dict[str, object]:
        """Return a result with the members that its revision requires in every result."""
        if not revision.modern:
            return result
        if fresh_milliseconds is not None and "resultType" not in result:
            # Private: what is listed may come from this user's own image.
            result = {**result, "ttlMs": fresh_milliseconds, "cacheScope": "private"}
        return {
            "resultType": "complete",
            **result,
            "_meta": {SERVER_INFO: self._identity.encode(revision)},
        }


def _capabilities(revision: Revision) -> dict[str, object]:
    """Return the capabilities that are declared to clients of a revision.

    Without notifications they are those that the revision always declared. Logging is not declared to modern
    clients: they request log messages per request, and no request causes any.
    """
    notifies = revision.sends_notifications
    capabilities: dict[str, object] = {
        "tools": {"listChanged": notifies},
        "resources": {"subscribe": notifies, "listChanged": notifies},
        "prompts": {"listChanged": notifies},
    }
    if notifies:
        capabilities["completions"] = {}
    if notifies and not revision.modern:
        capabilities["logging"] = {}
    if revision.tasks:
        capabilities["tasks"] = {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}}
    if revision.modern:
        capabilities["extensions"] = {SKILLS: {}, TASKS: {}}
    return capabilities


def who_can_be_asked(capabilities: Mapping[str, object], revision: Revision) -> tuple[str, ...]:
    """Return whom a client can ask: `person` if it shows forms, `model`, and `roots`."""
    declared = {who: capabilities.get(name) for who, name in ASKING_CAPABILITIES.items()}
    person = declared["person"]
    if not revision.elicitation or (isinstance(person, dict) and person and "form" not in person):
        del declared["person"]
    return tuple(who for who, found in declared.items() if isinstance(found, dict))


def check_capability(error: Mapping[str, object], revision: Revision) -> None:
    """Report to a modern client that it lacks a capability, if that is the error of a result.

    Raises:
        MissingClientCapability: If it is.
    """
    if revision.modern and error.get("kind") == "cannotAsk":
        raise MissingClientCapability({ASKING_CAPABILITIES[str(error["ability"])]: {}})


def text_in(params: Mapping[str, object], name: str) -> str:
    """Return the string parameter of that name.

    Raises:
        InvalidParams: If it is missing or not a string.
    """
    value = params.get(name)
    if isinstance(value, str):
        return value
    raise InvalidParams(f"{name} is missing" if value is None else f"{name} must be a string")


def object_in(
    params: Mapping[str, object], name: str, default: Mapping[str, object] | None = None
) -> Mapping[str, object]:
    """Return the object among the params of that name, or the default.

    Raises:
        InvalidParams: If it is missing without a default, or not an object.
    """
    match params.get(name, default):
        case dict() as given:
            return given
        case None:
            if default is not None:
                return default
            raise InvalidParams(f"{name} is missing")
    raise InvalidParams(f"{name} must be an object")


def token_in(params: Mapping[str, object]) -> Id | None:
    """Return the progress token of a request; None if it has none, or an invalid one."""
    meta = params.get("_meta")
    token = meta.get("progressToken") if isinstance(meta, dict) else None
    return token if is_id(token) else None


def page_of(member: str, entries: Sequence[object], context: RequestContext) -> dict[str, object]:
    """Return the page of a list that begins at the cursor, with the cursor of the next page if any."""
    later_pages = range(PAGE, len(entries), PAGE)
    cursors = {None: 0} | {str(start): start for start in later_pages}
    cursor = context.params.get("cursor")
    if not isinstance(cursor, str | None) or cursor not in cursors:
        raise InvalidParams("unknown cursor")
    start = cursors[cursor]
    more = {"nextCursor": str(start + PAGE)} if start + PAGE in later_pages else {}
    return {member: entries[start : start + PAGE], **more}
