"""One HTTP request in ASGI: who may send it, what its headers and its body say, and the means to respond.

Only programs on this computer that send the token are served. Without that, a web page could reach a server
on loopback by a host name that resolves to it (DNS rebinding). A modern request repeats some values of its
body in headers, for proxies; a server must reject a request whose headers do not match.

The body of an error is a JSON-RPC error response, since clients display that. Sources: Streamable HTTP in the
specification of 2026-07-28; https://asgi.readthedocs.io, HTTP.
"""

import re
from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from hmac import compare_digest
from secrets import token_urlsafe
from typing import Any, NamedTuple

from pharo_mcp.protocol.headers import header_parameters, text_in_header
from pharo_mcp.protocol.revisions import LEGACY_REVISIONS, MODERN_REVISIONS
from pharo_mcp.server.lifecycle import CLIENT_CAPABILITIES, VERSION
from pharo_mcp.wire.jsonrpc import (
    BYTE_ORDER_MARK,
    BadLine,
    ErrorResponse,
    Id,
    InvalidParams,
    InvalidRequest,
    JsonRpcError,
    Message,
    Request,
    decode,
    encode,
)

RESUME_MILLISECONDS = 500
"""How long a client should wait before it resumes a broken stream."""


class HttpError(Exception):
    """An error response that is sent without passing the request to a connection."""

    def __init__(
        self,
        status: int,
        error: JsonRpcError,
        request_id: Id | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(error.message)
        self.status = status
        self.line = encode(ErrorResponse.of(request_id, error))
        self.headers = headers or {}


class InvalidToken(JsonRpcError):
    """The token is missing or wrong."""

    code = -32001


class MismatchedHeaders(JsonRpcError):
    """The headers of a modern request do not match its body."""

    code = -32020


def not_allowed(method: str, allowed: str) -> HttpError:
    """Return the error for a method that is not supported for this path or revision."""
    return HttpError(405, InvalidRequest(f"{method} is not allowed: use {allowed}"), None, {"Allow": allowed})


class SessionNotFound(HttpError):
    """The session has ended or never existed."""

    def __init__(self) -> None:
        error = InvalidRequest("the session has ended or never existed: start a new one with initialize")
        super().__init__(404, error)


class TooManySessions(HttpError):
    """All sessions are in use."""

    def __init__(self, limit: int) -> None:
        error = InvalidRequest(f"all {limit} sessions are in use: end one with DELETE, or try again later")
        super().__init__(503, error)


def mismatch(details: str, request_id: Id) -> HttpError:
    """Return the error for a modern request whose headers do not match its body."""
    return HttpError(400, MismatchedHeaders(f"Header mismatch: {details}"), request_id)


HOST = re.compile(r"(?:127\.0\.0\.1|localhost|\[::1\])(?::([0-9]{1,5}))?", re.ASCII | re.IGNORECASE)
"""The names of this computer, with or without a port.

Other spellings that a URL parser would accept are rejected: parsing a name differently than a browser does
would let web pages in.
"""
MAX_PORT = 65535
TOKEN_BYTES = 32
UNAUTHORIZED = (
    "Unauthorized: send `Authorization: Bearer TOKEN`. pharo-mcp prints the token on standard error "
    "when it starts, unless PHARO_MCP_HTTP_TOKEN sets it."
)
TOKEN = re.compile(r"[A-Za-z0-9._~+/-]+=*")
"""The syntax of a bearer token. Source: RFC 6750, section 2.1."""


def make_token() -> str:
    """Make a new random token."""
    return token_urlsafe(TOKEN_BYTES)


def check_token(token: str) -> str:
    """Return a token chosen by the user.

    Raises:
        ValueError: If no request could send it.
    """
    if not TOKEN.fullmatch(token):
        raise ValueError("PHARO_MCP_HTTP_TOKEN is not a valid token: use only letters, digits and -._~+/")
    return token


class Guard:
    """Accepts requests from this computer that have the token."""

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    def check(self, headers: Mapping[str, str]) -> None:
        """Check the headers of a request; their names are in lower case.

        Raises:
            HttpError: If Host, or Origin if present, is not this computer, or the token is missing or wrong.
        """
        if not _is_local(headers.get("host", "")):
            raise HttpError(403, InvalidRequest("Host must be 127.0.0.1 or localhost"))
        if "origin" in headers and not _is_local_origin(headers["origin"]):
            raise HttpError(403, InvalidRequest("Origin must be a page on this computer, or absent"))
        scheme, _, token = headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not compare_digest(token.strip().encode(), self._token):
            raise HttpError(401, InvalidToken(UNAUTHORIZED), headers={"WWW-Authenticate": "Bearer"})


def _is_local(host: str) -> bool:
    """Return whether a Host header names this computer."""
    match = HOST.fullmatch(host)
    return match is not None and int(match[1] or 0) <= MAX_PORT


def _is_local_origin(origin: str) -> bool:
    """Return whether an Origin header, as browsers send it, names a page on this computer."""
    scheme, separator, host = origin.partition("://")
    return bool(separator) and scheme in ("http", "https") and _is_local(host)


Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

BODY_LIMIT = 16 * 1024 * 1024
"""Most bytes in a request body."""

NO_CONTENT = 204
JSON = "application/json"
EVENTS = "text/event-stream"
KEEP_ALIVE = b": keep-alive\n\n"
"""A comment, which clients ignore, to keep a quiet stream open."""


class ClientDisconnected(Exception):
    """The client closed the connection before it had sent the whole request."""


class AcceptedTypes(NamedTuple):
    """The response types that a client accepts: JSON, or a stream of events."""

    json: bool
    events: bool

    @classmethod
    def parse(cls, header: str) -> "AcceptedTypes":
        """Parse an `Accept` header; a missing one accepts everything."""
        types = {media_type.partition(";")[0].strip().lower() for media_type in header.split(",")}
        anything = not header.strip() or "*/*" in types
        return cls(
            anything or bool(types & {JSON, "application/*"}), anything or bool(types & {EVENTS, "text/*"})
        )


class Exchange:
    """A request and the means to respond. Repeated headers are joined with commas."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.method: str = scope["method"]
        self.path: str = scope["path"]
        self.headers: dict[str, str] = {}
        for raw_name, raw_value in scope["headers"]:
            name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1").strip()
            self.headers[name] = f"{self.headers[name]}, {value}" if name in self.headers else value
        self._receive = receive
        self._send = send

    @property
    def accepts(self) -> AcceptedTypes:
        """The response types that the client accepts."""
        return AcceptedTypes.parse(self.headers.get("accept", ""))

    async def read_message(self) -> Message:
        """Read the body and decode its message; a byte order mark before it is ignored.

        Raises:
            HttpError: If it is too long, not JSON, or not a message.
            ClientDisconnected: If the client disconnects before its end.
        """
        if self.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
            raise HttpError(415, InvalidRequest(f"Content-Type must be {JSON}"))
        body = bytearray()
        more = True
        while more:
            event = await self._receive()
            if event["type"] == "http.disconnect":
                raise ClientDisconnected
            body += event.get("body", b"")
            more = event.get("more_body", False)
            if len(body) > BODY_LIMIT:
                raise HttpError(413, InvalidRequest(f"the body is longer than {BODY_LIMIT} bytes"))
        message = decode(bytes(body).removeprefix(BYTE_ORDER_MARK))
        if isinstance(message, BadLine):
            raise HttpError(400, message.error, message.id)
        return message

    async def wait_for_disconnect(self) -> None:
        """Wait until the client closes the connection or the response is complete."""
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def respond(
        self,
        status: int,
        body: bytes = b"",
        headers: Mapping[str, str] | None = None,
        content_type: str = JSON,
    ) -> None:
        """Send a complete response."""
        types = {"Content-Type": content_type} if body else {}
        length = {} if status == NO_CONTENT else {"Content-Length": str(len(body))}
        await self._start(status, {**types, **length, **(headers or {})})
        await self._send({"type": "http.response.body", "body": body})

    async def start_events(self) -> None:
        """Start a stream of events."""
        await self._start(200, {"Content-Type": EVENTS, "Cache-Control": "no-cache"})

    async def send_event(self, line: bytes | None, event_id: str | None = None) -> None:
        """Send a line as an event, or a comment if there is no line."""
        body = KEEP_ALIVE if line is None else as_event(line, event_id)
        await self._send({"type": "http.response.body", "body": body, "more_body": True})

    async def send_beginning(self, event_id: str) -> None:
        """Send an event without data, by whose id the client can resume the stream."""
        body = f"id: {event_id}\nretry: {RESUME_MILLISECONDS}\ndata:\n\n".encode()
        await self._send({"type": "http.response.body", "body": body, "more_body": True})

    async def end_events(self) -> None:
        """End the stream."""
        await self._send({"type": "http.response.body", "body": b""})

    async def _start(self, status: int, headers: Mapping[str, str]) -> None:
        raw = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        await self._send({"type": "http.response.start", "status": status, "headers": raw})


def as_event(line: bytes, event_id: str | None = None) -> bytes:
    """Format a line as a server-sent event. Source: https://html.spec.whatwg.org, server-sent events."""
    named = f"id: {event_id}\n".encode() if event_id else b""
    return named + b"event: message\ndata: " + line.rstrip(b"\n") + b"\n\n"


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
    """Return whether a message is a modern one, by its header or its params."""
    version = headers.get(VERSION_HEADER)
    if version is not None and version not in LEGACY_REVISIONS:
        return True
    return isinstance(message, Request) and bool(_meta(message).keys() & {VERSION, CLIENT_CAPABILITIES})


def check_modern(request: Request, headers: Mapping[str, str]) -> None:
    """Check that the headers of a modern request match its body.

    Raises:
        HttpError: If the body lacks a required member, or a header is missing or does not match.
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
            raise mismatch(f"{name} does not match the body", request.id)


def check_parameters(request: Request, headers: Mapping[str, str], schema: Mapping[str, object]) -> None:
    """Check that the headers of a modern call repeat the arguments that the tool's schema marks.

    Raises:
        HttpError: If a header is missing or does not match.
    """
    for path, header in header_parameters(schema).items():
        value = request.params.get("arguments")
        for name in path:
            value = value.get(name) if isinstance(value, dict) else None
        expected = text_in_header(value)
        if expected is not None and _decoded(headers.get(f"{PARAMETER_HEADERS}{header.lower()}")) != expected:
            raise mismatch(f"Mcp-Param-{header} does not match the argument {'.'.join(path)}", request.id)


def check_legacy(method: str, headers: Mapping[str, str]) -> None:
    """Check that the revision of a request in a session has sessions; the header may be missing.

    Raises:
        HttpError: If the revision is not supported, or a modern one, which allows only POST.
    """
    version = headers.get(VERSION_HEADER)
    if version in MODERN_REVISIONS:
        raise not_allowed(method, "POST")
    if version is not None and version not in LEGACY_REVISIONS:
        raise HttpError(400, InvalidRequest(f"unsupported MCP-Protocol-Version {version}"))


def _meta(request: Request) -> Mapping[str, object]:
    meta = request.params.get("_meta")
    return meta if isinstance(meta, dict) else {}


def _decoded(value: str | None) -> str | None:
    """Return the decoded value of a header; None if it is missing or invalid."""
    prefix, suffix = BASE64_MARKERS
    if value is None or not (value.startswith(prefix) and value.endswith(suffix)):
        return value
    try:
        return b64decode(value[len(prefix) : -len(suffix)], validate=True).decode("utf-8")
    except (NotBase64, UnicodeDecodeError):
        return None
