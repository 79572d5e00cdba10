"""One HTTP request and its answer, as ASGI has them. Source: https://asgi.readthedocs.io, HTTP."""

from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, NamedTuple

from pharo_mcp.jsonrpc import BadLine, InvalidRequest, Message, decode

from .refusals import Refusal

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

BODY_LIMIT = 16 * 1024 * 1024
"""Bytes in one body."""

NO_CONTENT = 204
JSON = "application/json"
EVENTS = "text/event-stream"
KEEP_ALIVE = b": still here\n\n"
"""What a stream says in between: a comment, which clients pass over."""


class ClientLeft(Exception):
    """The client closed the connection before it had sent all."""


class Accepts(NamedTuple):
    """The kinds of answer that a client takes."""

    json: bool
    events: bool

    @classmethod
    def read(cls, header: str) -> "Accepts":
        """What an `Accept` header says; one that is missing takes everything."""
        kinds = {kind.partition(";")[0].strip().lower() for kind in header.split(",")}
        anything = not header.strip() or "*/*" in kinds
        return cls(
            anything or bool(kinds & {JSON, "application/*"}), anything or bool(kinds & {EVENTS, "text/*"})
        )


class Exchange:
    """A request, and the means to answer it. Several headers of one name are read as one, with commas."""

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
    def accepts(self) -> Accepts:
        """The kinds of answer that the client takes."""
        return Accepts.read(self.headers.get("accept", ""))

    async def read_message(self) -> Message:
        """What the body says.

        Raises:
            Refusal: If it is too long, something else than JSON, or no message.
            ClientLeft: If it does not come.
        """
        if self.headers.get("content-type", "").partition(";")[0].strip().lower() != JSON:
            raise Refusal(415, InvalidRequest(f"Content-Type must be {JSON}"))
        body = bytearray()
        more = True
        while more:
            event = await self._receive()
            if event["type"] == "http.disconnect":
                raise ClientLeft
            body += event.get("body", b"")
            more = event.get("more_body", False)
            if len(body) > BODY_LIMIT:
                raise Refusal(413, InvalidRequest(f"a body is longer than {BODY_LIMIT} bytes"))
        message = decode(bytes(body))
        if isinstance(message, BadLine):
            raise Refusal(400, message.error, message.id)
        return message

    async def wait_until_gone(self) -> None:
        """Wait until the client has closed the connection, or all is answered."""
        while (await self._receive())["type"] != "http.disconnect":
            pass

    async def answer(
        self, status: int, body: bytes = b"", headers: Mapping[str, str] | None = None, kind: str = JSON
    ) -> None:
        """Answer as a whole."""
        described = {"Content-Type": kind} if body else {}
        length = {} if status == NO_CONTENT else {"Content-Length": str(len(body))}
        await self._begin(status, {**described, **length, **(headers or {})})
        await self._send({"type": "http.response.body", "body": body})

    async def begin_events(self) -> None:
        """Begin a stream of events."""
        # The last is for proxies, which would keep events until there are many.
        await self._begin(
            200, {"Content-Type": EVENTS, "Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
        )

    async def send_event(self, line: bytes | None) -> None:
        """Send a line as an event; without one, only show that the stream lives."""
        body = KEEP_ALIVE if line is None else as_event(line)
        await self._send({"type": "http.response.body", "body": body, "more_body": True})

    async def end_events(self) -> None:
        """End the stream."""
        await self._send({"type": "http.response.body", "body": b""})

    async def _begin(self, status: int, headers: Mapping[str, str]) -> None:
        raw = [(name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        await self._send({"type": "http.response.start", "status": status, "headers": raw})


def as_event(line: bytes) -> bytes:
    """A line as a stream of events has it. Source: https://html.spec.whatwg.org, server-sent events."""
    return b"event: message\ndata: " + line.rstrip(b"\n") + b"\n\n"
