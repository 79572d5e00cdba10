"""The two eras: how a client and this server agree on a revision.

Legacy revisions shake hands once (`initialize`). Modern ones say their revision with every request, in
`params._meta`, and may ask what there is (`server/discover`). One process serves both, in any order:
Claude Code asks `server/discover` first and may then still send `initialize`.
"""

from collections.abc import Mapping

from pharo_mcp.jsonrpc import InvalidParams
from pharo_mcp.protocol import LEGACY_REVISIONS, MODERN_REVISIONS, NEWEST_LEGACY, Revision

from .errors import UnsupportedProtocolVersion
from .identity import Identity
from .router import Method, Question

VERSION = "io.modelcontextprotocol/protocolVersion"
CLIENT_CAPABILITIES = "io.modelcontextprotocol/clientCapabilities"
SERVER_INFO = "io.modelcontextprotocol/serverInfo"

SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"


class Lifecycle:
    """Knows what was negotiated, and reads from each request which revision it is asked in.

    `negotiated` is the revision of the last handshake; None before any.
    """

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self.negotiated: Revision | None = None

    def revision_of(self, params: Mapping[str, object]) -> Revision | None:
        """The revision of a request; None before any handshake.

        Raises:
            InvalidParams: If it is modern, but lacks what every modern request must say.
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

    def initialize(self, question: Question) -> dict[str, object]:
        """Shake hands: take the client's revision if it is served, else offer the newest legacy one."""
        requested = question.params.get("protocolVersion")
        if not isinstance(requested, str):
            raise InvalidParams("protocolVersion must be a string")
        self.negotiated = revision = LEGACY_REVISIONS.get(requested, NEWEST_LEGACY)
        return {
            "protocolVersion": revision.name,
            "capabilities": _capabilities(revision),
            "serverInfo": self._identity.encode(revision),
            "instructions": self._identity.instructions,
        }

    def discover(self, question: Question) -> dict[str, object]:
        """Say what there is, without any state."""
        return {
            "supportedVersions": list(MODERN_REVISIONS),
            "capabilities": _capabilities(question.revision),
            "instructions": self._identity.instructions,
        }

    def ping(self, question: Question) -> dict[str, object]:
        """Show that somebody is here."""
        return {}

    def complete(self, result: dict[str, object], method: Method, revision: Revision) -> dict[str, object]:
        """A result with what its revision asks of every result."""
        if not revision.modern:
            return result
        if method.fresh_ms is not None:
            # Private: what is listed may come from this user's own image.
            result = {**result, "ttlMs": method.fresh_ms, "cacheScope": "private"}
        return {
            "resultType": "complete",
            **result,
            "_meta": {SERVER_INFO: self._identity.encode(revision)},
        }


def _capabilities(revision: Revision) -> dict[str, object]:
    """What a client of a revision is told that there is.

    Where no news are told it is what has always been said there. Modern clients get messages with the answers
    to requests that ask for them, which we have none of.
    """
    news = revision.tells_news
    capabilities: dict[str, object] = {
        "tools": {"listChanged": news},
        "resources": {"subscribe": news, "listChanged": news},
        "prompts": {"listChanged": news},
    }
    if news:
        capabilities["completions"] = {}
    if news and not revision.modern:
        capabilities["logging"] = {}
    return capabilities
