"""What the headers of a request say of its era, and whether they agree with its body.

A modern request repeats in headers what proxies want to know without reading the body; a server must
refuse one whose headers say otherwise. Source: Streamable HTTP in the specification of 2026-07-28.
"""

from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Mapping

from pharo_mcp.jsonrpc import InvalidParams, InvalidRequest, Message, Request
from pharo_mcp.protocol import LEGACY_REVISIONS, MODERN_REVISIONS
from pharo_mcp.server import CLIENT_CAPABILITIES, VERSION

from .refusals import HeaderMismatch, NotAllowed, Refusal

VERSION_HEADER = "mcp-protocol-version"
METHOD_HEADER = "mcp-method"
NAME_HEADER = "mcp-name"

NAMED_BY = {"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}
"""The param that names what a method is about, and stands in `Mcp-Name` too."""

WRAPPED = ("=?base64?", "?=")
"""Around a value that no header could hold as it is."""

STATUSES = {-32700: 400, -32600: 400, -32601: 404, -32602: 400, -32020: 400, -32021: 400, -32022: 400}
"""The status of an answer that refuses a modern request, by its code; others have 200."""


def is_modern(message: Message, headers: Mapping[str, str]) -> bool:
    """Whether a message belongs to the modern era, by its header or by itself."""
    version = headers.get(VERSION_HEADER)
    if version is not None and version not in LEGACY_REVISIONS:
        return True
    return isinstance(message, Request) and bool(_meta(message).keys() & {VERSION, CLIENT_CAPABILITIES})


def check_modern(request: Request, headers: Mapping[str, str]) -> None:
    """Hold the headers of a modern request against its body.

    Raises:
        Refusal: If the body does not say what every modern request must.
        HeaderMismatch: If a header is missing, or says otherwise.
    """
    meta = _meta(request)
    for key in (VERSION, CLIENT_CAPABILITIES):
        if key not in meta:
            raise Refusal(400, InvalidParams(f"_meta must hold {key}"), request.id)
    expected = {VERSION_HEADER: meta[VERSION], METHOD_HEADER: request.method}
    named_by = NAMED_BY.get(request.method)
    if named_by and isinstance(request.params.get(named_by), str):
        expected[NAME_HEADER] = request.params[named_by]
    for name, value in expected.items():
        if _unwrapped(headers.get(name)) != value:
            raise HeaderMismatch(f"{name} is not what the body says", request.id)


def check_legacy(method: str, headers: Mapping[str, str]) -> None:
    """Refuse what is about a session by a revision that has none; without the header, the session knows it.

    Raises:
        NotAllowed: If that is a modern revision, which knows POST alone.
        Refusal: If it is not served at all.
    """
    version = headers.get(VERSION_HEADER)
    if version in MODERN_REVISIONS:
        raise NotAllowed(method, "POST")
    if version is not None and version not in LEGACY_REVISIONS:
        raise Refusal(400, InvalidRequest(f"MCP-Protocol-Version {version} has no sessions"))


def _meta(request: Request) -> Mapping[str, object]:
    meta = request.params.get("_meta")
    return meta if isinstance(meta, dict) else {}


def _unwrapped(value: str | None) -> str | None:
    """What a header says; None if it is missing, or wrapped badly."""
    before, after = WRAPPED
    if value is None or not (value.startswith(before) and value.endswith(after)):
        return value
    try:
        return b64decode(value[len(before) : -len(after)], validate=True).decode("utf-8")
    except (NotBase64, UnicodeDecodeError):
        return None
