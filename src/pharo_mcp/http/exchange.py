"""An HTTP request and its response in ASGI. Source: https://asgi.readthedocs.io, HTTP."""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, NamedTuple

from pharo_mcp.times import RESUME_MILLISECONDS
from pharo_mcp.wire.jsonrpc import BYTE_ORDER_MARK, BadLine, InvalidRequest, Message, decode

from .errors import HttpError

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
        # The last header keeps proxies from buffering events.
        await self._start(
            200, {"Content-Type": EVENTS, "Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
        )

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
