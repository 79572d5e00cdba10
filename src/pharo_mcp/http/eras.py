"""Determine the era of a request from its headers, and check that they match its body.

A modern request repeats some values of its body in headers, for proxies; a server must reject a request
whose headers do not match. Source: Streamable HTTP in the specification of 2026-07-28.
"""

from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Mapping

from pharo_mcp.protocol.headers import header_parameters, text_in_header
from pharo_mcp.protocol.revisions import LEGACY_REVISIONS, MODERN_REVISIONS
from pharo_mcp.server.lifecycle import CLIENT_CAPABILITIES, VERSION
from pharo_mcp.wire.jsonrpc import InvalidParams, InvalidRequest, Message, Request

from .errors import HeaderMismatch, HttpError, MethodNotAllowed

VERSION_HEADER = "mcp-protocol-version"
METHOD_HEADER = "mcp-method"
NAME_HEADER = "mcp-name"
PARAMETER_HEADERS = "mcp-param-"

NAME_PARAMS = {
    "tools/call": "name",
    "prompts/get": "name",
    "resources/read": "uri",
    "tasks/get": "taskId",
    "tasks/update": "taskId",
    "tasks/cancel": "taskId",
}
"""The param of a method whose value `Mcp-Name` repeats."""

BASE64_MARKERS = ("=?base64?", "?=")
"""The prefix and suffix of a header value that is encoded."""

ERROR_STATUSES = {-32700: 400, -32600: 400, -32601: 404, -32602: 400, -32020: 400, -32021: 400, -32022: 400}
"""The status of an error response to a modern request, by its code; other responses have 200."""


def is_modern(message: Message, headers: Mapping[str, str]) -> bool:
    """Whether a message belongs to the modern era, by its header or its params."""
    version = headers.get(VERSION_HEADER)
    if version is not None and version not in LEGACY_REVISIONS:
        return True
    return isinstance(message, Request) and bool(_meta(message).keys() & {VERSION, CLIENT_CAPABILITIES})


def check_modern(request: Request, headers: Mapping[str, str]) -> None:
    """Check that the headers of a modern request match its body.

    Raises:
        HttpError: If the body lacks a required member.
        HeaderMismatch: If a header is missing or does not match.
    """
    meta = _meta(request)
    for key in (VERSION, CLIENT_CAPABILITIES):
        if key not in meta:
            raise HttpError(400, InvalidParams(f"_meta must contain {key}"), request.id)
    expected = {VERSION_HEADER: meta[VERSION], METHOD_HEADER: request.method}
    name_param = NAME_PARAMS.get(request.method)
    if name_param and isinstance(request.params.get(name_param), str):
        expected[NAME_HEADER] = request.params[name_param]
    for name, value in expected.items():
        if _decoded(headers.get(name)) != value:
            raise HeaderMismatch(f"{name} does not match the body", request.id)


def check_parameters(request: Request, headers: Mapping[str, str], schema: Mapping[str, object]) -> None:
    """Check that the headers of a modern call repeat the arguments that the tool's schema marks.

    Raises:
        HeaderMismatch: If a header is missing or does not match.
    """
    for path, header in header_parameters(schema).items():
        value = request.params.get("arguments")
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        expected = text_in_header(value)
        if expected is not None and _decoded(headers.get(f"{PARAMETER_HEADERS}{header.lower()}")) != expected:
            raise HeaderMismatch(
                f"Mcp-Param-{header} does not match the argument {'.'.join(path)}", request.id
            )


def check_legacy(method: str, headers: Mapping[str, str]) -> None:
    """Check that the revision of a request in a session has sessions; the header may be missing.

    Raises:
        MethodNotAllowed: If it is a modern revision, which allows only POST.
        HttpError: If the revision is not supported.
    """
    version = headers.get(VERSION_HEADER)
    if version in MODERN_REVISIONS:
        raise MethodNotAllowed(method, "POST")
    if version is not None and version not in LEGACY_REVISIONS:
        raise HttpError(400, InvalidRequest(f"unsupported MCP-Protocol-Version {version}"))


def _meta(request: Request) -> Mapping[str, object]:
    meta = request.params.get("_meta")
    return meta if isinstance(meta, dict) else {}


def _decoded(value: str | None) -> str | None:
    """The decoded value of a header; None if it is missing or invalid."""
    prefix, suffix = BASE64_MARKERS
    if value is None or not (value.startswith(prefix) and value.endswith(suffix)):
        return value
    try:
        return b64decode(value[len(prefix) : -len(suffix)], validate=True).decode("utf-8")
    except (NotBase64, UnicodeDecodeError):
        return None
