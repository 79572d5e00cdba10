"""A server over HTTP in the test's own process, and a client of the plainest kind."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from threading import Thread
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit

from pharo_mcp.http import Application, HttpServer
from pharo_mcp.server import Connection, Feed
from pharo_mcp.transports import Transport
from server.conversation import IDENTITY, Workbench, request

PATIENCE = 10.0
"""Seconds that a test waits for a server before it fails."""
TOKEN = "the-token-of-the-tests"
MODERN = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}
BOTH = "application/json, text/event-stream"


class Reply(NamedTuple):
    """A whole answer."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def said(self) -> Any:
        """What its JSON says."""
        return json.loads(self.body)

    @property
    def events(self) -> list[Any]:
        """What its events say; comments say nothing."""
        assert self.headers["content-type"] == "text/event-stream"
        lines = self.body.split(b"\n")
        return [json.loads(line[5:]) for line in lines if line.startswith(b"data:")]


class Answering:
    """An answer that is on its way."""

    def __init__(self, connection: HTTPConnection, response: HTTPResponse) -> None:
        self._connection = connection
        self.response = response

    def next_event(self) -> Any:
        """What the next event says; None at the end."""
        while line := self.response.readline():
            if line.startswith(b"data:"):
                return json.loads(line[5:])
        return None

    def hang_up(self) -> None:
        """Close the connection."""
        self.response.close()
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.hang_up()


class Web:
    """A client: it shows the token, and says what it accepts, unless told otherwise."""

    def __init__(self, url: str, token: str = TOKEN) -> None:
        self.address = urlsplit(url)
        self._headers = {"Authorization": f"Bearer {token}", "Accept": BOTH}
        self.session: str | None = None

    def begin(
        self, method: str, body: bytes | None = None, path: str | None = None, **headers: str | None
    ) -> Answering:
        """Send a request; what is answered may still come. A header that is None is left out."""
        connection = HTTPConnection(self.address.hostname or "", self.address.port, timeout=PATIENCE)
        told = {name.replace("_", "-"): value for name, value in headers.items()}
        kind = {"Content-Type": "application/json"} if body is not None else {}
        session = {"Mcp-Session-Id": self.session} if self.session else {}
        every = {**self._headers, **kind, **session, **told}
        connection.request(
            method, path or self.address.path, body, {name: value for name, value in every.items() if value}
        )
        return Answering(connection, connection.getresponse())

    def ask(
        self, method: str, body: bytes | None = None, path: str | None = None, **headers: str | None
    ) -> Reply:
        """Send a request, and read all that is answered."""
        with self.begin(method, body, path, **headers) as answering:
            names = {name.lower(): value for name, value in answering.response.getheaders()}
            return Reply(answering.response.status, names, answering.response.read())

    def post(self, message: object, **headers: str | None) -> Reply:
        """Post a message; bytes as they are."""
        return self.ask("POST", as_body(message), **headers)

    def shake_hands(self, revision: str = "2025-11-25") -> Reply:
        """Open a session, and stay in it."""
        reply = self.post(initialize(revision))
        self.session = reply.headers["mcp-session-id"]
        return reply

    def begin_events(self, message: dict[str, Any]) -> Answering:
        """Ask in the session; answer when the answer begins."""
        return self.begin("POST", as_body(message), Accept="text/event-stream")

    def begin_call(self, request_id: object, tool: str, **arguments: object) -> Answering:
        """Call a tool in the session; answer when the answer begins."""
        return self.begin_events(call(request_id, tool, **arguments))

    def begin_modern(self, message: dict[str, Any]) -> Answering:
        """Ask as the modern era wants it; answer when the answer begins."""
        body = as_body({**message, "params": {"_meta": META, **message.get("params", {})}})
        return self.begin("POST", body, Accept="text/event-stream", **modern_headers(message))

    def post_modern(self, message: dict[str, Any], **headers: str | None) -> Reply:
        """Post a message as the modern era wants it."""
        params = {"_meta": META, **message.get("params", {})}
        return self.post({**message, "params": params}, **modern_headers(message), **headers)


def as_body(message: object) -> bytes:
    return message if isinstance(message, bytes) else json.dumps(message).encode()


def modern_headers(message: Mapping[str, Any]) -> dict[str, str]:
    """What a modern client says of a message."""
    params = message.get("params", {})
    name = params.get("name", params.get("uri"))
    named = {"Mcp_Name": name} if name else {}
    return {"MCP_Protocol_Version": MODERN, "Mcp_Method": message["method"], **named}


def initialize(revision: str = "2025-11-25") -> dict[str, object]:
    info = {"name": "tests", "version": "1"}
    return request(0, "initialize", protocolVersion=revision, capabilities={}, clientInfo=info)


def call(request_id: object, tool: str, **arguments: object) -> dict[str, Any]:
    return request(request_id, "tools/call", name=tool, arguments=arguments)


class Bench:
    """Makes conversations, each with the tools of the workbench that is there when it begins."""

    def __init__(self) -> None:
        self.current = Workbench()
        self.feed = Feed()

    def connect(self, transport: Transport) -> Connection:
        """What answers over a transport."""
        workbench = self.current
        return Connection(transport, lambda: workbench.offers, IDENTITY, feed=self.feed)


@contextmanager
def served(bench: Bench) -> Iterator[str]:
    """The address of a server for as long as the block runs."""
    server = HttpServer(Application(bench.connect, TOKEN), 0)
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    yield server.url
    server.close()
    thread.join(PATIENCE)
    assert not thread.is_alive()
