"""The errors that MCP adds to those of JSON-RPC.

JsonRpcError
├── UnsupportedProtocolVersion  -32022  a modern request names a revision that is not served
├── MissingClientCapability     -32021  a modern request needs a capability that its client did not declare
└── ResourceMissing             -32002  nothing can be read under the URI; legacy era only
"""

from collections.abc import Mapping

from pharo_mcp.protocol.revisions import MODERN_REVISIONS
from pharo_mcp.wire.jsonrpc import JsonRpcError


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
    """Nothing can be read under the URI; the modern era has InvalidParams for it."""

    code = -32002

    def __init__(self, details: str, uri: str) -> None:
        super().__init__(f"Resource not found: {details}", {"details": details, "uri": uri})
