"""The two eras: how a client and this server agree on a protocol revision.

Legacy clients send `initialize` once. Modern ones name their revision in every request, in `params._meta`,
and may send `server/discover`. One process serves both, in any order: Claude Code sends `server/discover`
first and may send `initialize` afterwards.
"""

from collections.abc import Mapping

from pharo_mcp.protocol.revisions import LEGACY_REVISIONS, MODERN_REVISIONS, NEWEST_LEGACY, Revision
from pharo_mcp.wire.jsonrpc import InvalidParams

from .errors import UnsupportedProtocolVersion
from .identity import Identity
from .router import Method, RequestContext

VERSION = "io.modelcontextprotocol/protocolVersion"
CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO = "io.modelcontextprotocol/serverInfo"

SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
TASKS = "io.modelcontextprotocol/tasks"


class Lifecycle:
    """Keeps the negotiated revision, and finds the revision of each request.

    `negotiated` is the revision of the last handshake; None before the first.
    """

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self.negotiated: Revision | None = None
        self._capabilities: object = None

    def revision_of(self, params: Mapping[str, object]) -> Revision | None:
        """The revision of a request; None before any handshake.

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
        """The capabilities that the sender of a request declares, with it or in its handshake."""
        meta = params.get("_meta") if revision.modern else None
        declared = meta.get(CLIENT_CAPABILITIES) if isinstance(meta, dict) else self._capabilities
        return declared if isinstance(declared, dict) else {}

    def initialize(self, context: RequestContext) -> dict[str, object]:
        """Negotiate the revision of a legacy client; one may do so again."""
        return self.negotiate(context.params)

    def negotiate(self, params: Mapping[str, object]) -> dict[str, object]:
        """Accept the client's revision if it is supported, else offer the newest legacy one.

        Raises:
            InvalidParams: If the client names none.
        """
        requested = params.get("protocolVersion")
        if not isinstance(requested, str):
            raise InvalidParams("protocolVersion must be a string")
        self._capabilities = params.get("capabilities")
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

    def complete(self, result: dict[str, object], method: Method, revision: Revision) -> dict[str, object]:
        """A result with the members that its revision requires in every result."""
        if not revision.modern:
            return result
        if method.fresh_ms is not None and "resultType" not in result:
            # Private: what is listed may come from this user's own image.
            result = {**result, "ttlMs": method.fresh_ms, "cacheScope": "private"}
        return {
            "resultType": "complete",
            **result,
            "_meta": {SERVER_INFO: self._identity.encode(revision)},
        }


def _capabilities(revision: Revision) -> dict[str, object]:
    """The capabilities that are declared to clients of a revision.

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
        capabilities["extensions"] = {TASKS: {}}
    return capabilities
