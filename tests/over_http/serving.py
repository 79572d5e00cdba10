"""An HTTP server in the test's process, and a minimal client."""

import json
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple, Self
from urllib.parse import urlsplit

from pharo_mcp.http.application import Application
from pharo_mcp.http.serving import HTTP_ARRIVAL_SECONDS, HttpServer
from pharo_mcp.protocol.catalog import Catalog
from pharo_mcp.server.serving import Server
from pharo_mcp.server.subscriptions import EventBus
from pharo_mcp.wire.transport import Transport
from programs import COMMAND, PATIENCE, Program, environment
from server.conversation import IDENTITY, Workbench, request

TOKEN = "the-token-of-the-tests"
MODERN = "2026-07-28"
META = {
    "io.modelcontextprotocol/protocolVersion": MODERN,
    "io.modelcontextprotocol/clientCapabilities": {},
}
BOTH = "application/json, text/event-stream"


class Reply(NamedTuple):
    """A complete response."""

    status: int
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        """Its body as JSON."""
        return json.loads(self.body)

    @property
    def events(self) -> list[Any]:
        """The data of its events, without comments."""
        assert self.headers["content-type"] == "text/event-stream"
        lines = self.body.split(b"\n")
        return [json.loads(line[5:]) for line in lines if line.startswith(b"data:")]


class OpenResponse:
    """A response whose body is still arriving."""

    def __init__(self, connection: HTTPConnection, response: HTTPResponse) -> None:
        self._connection = connection
        self.raw = response

    def next_event(self) -> Any:
        """The data of the next event that has some; None at the end."""
        while line := self.raw.readline():
            if line.startswith(b"data:") and line[5:].strip():
                return json.loads(line[5:])
        return None

    def disconnect(self) -> None:
        """Close the connection."""
        self.raw.close()
        self._connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.disconnect()


class Web:
    """A client that sends the token and accepts JSON and events by default."""

    def __init__(self, url: str, token: str = TOKEN) -> None:
        self.address = urlsplit(url)
        self._headers = {"Authorization": f"Bearer {token}", "Accept": BOTH}
        self.session: str | None = None

    def begin(
        self, method: str, body: bytes | None = None, path: str | None = None, **headers: str | None
    ) -> OpenResponse:
        """Send a request and return its response before its end. A header that is None is omitted."""
        connection = HTTPConnection(self.address.hostname or "", self.address.port, timeout=PATIENCE)
        extra = {name.replace("_", "-"): value for name, value in headers.items()}
        content_type = {"Content-Type": "application/json"} if body is not None else {}
        session = {"Mcp-Session-Id": self.session} if self.session else {}
        merged = {**self._headers, **content_type, **session, **extra}
        connection.request(
            method, path or self.address.path, body, {name: value for name, value in merged.items() if value}
        )
        return OpenResponse(connection, connection.getresponse())

    def ask(
        self, method: str, body: bytes | None = None, path: str | None = None, **headers: str | None
    ) -> Reply:
        """Send a request and read the complete response."""
        with self.begin(method, body, path, **headers) as opened:
            received = {name.lower(): value for name, value in opened.raw.getheaders()}
            return Reply(opened.raw.status, received, opened.raw.read())

    def post(self, message: object, **headers: str | None) -> Reply:
        """Post a message, or bytes as they are."""
        return self.ask("POST", as_body(message), **headers)

    def initialize(self, revision: str = "2025-11-25") -> Reply:
        """Open a session and use it from now on."""
        reply = self.post(initialize(revision))
        self.session = reply.headers["mcp-session-id"]
        return reply

    def begin_events(self, message: dict[str, Any]) -> OpenResponse:
        """Post a message in the session and return the response before its end."""
        return self.begin("POST", as_body(message), Accept="text/event-stream")

    def begin_call(self, request_id: object, tool: str, **arguments: object) -> OpenResponse:
        """Call a tool in the session and return the response before its end."""
        return self.begin_events(call(request_id, tool, **arguments))

    def begin_modern(self, message: dict[str, Any]) -> OpenResponse:
        """Post a message as a modern client does and return the response before its end."""
        body = as_body({**message, "params": {"_meta": META, **message.get("params", {})}})
        return self.begin("POST", body, Accept="text/event-stream", **modern_headers(message))

    def post_modern(self, message: dict[str, Any], **headers: str | None) -> Reply:
        """Post a message as a modern client does."""
        params = {"_meta": META, **message.get("params", {})}
        return self.post({**message, "params": params}, **modern_headers(message), **headers)


def as_body(message: object) -> bytes:
    return message if isinstance(message, bytes) else json.dumps(message).encode()


def modern_headers(message: Mapping[str, Any]) -> dict[str, str]:
    """The headers that a modern client adds to a message."""
    params = message.get("params", {})
    name = params.get("name", params.get("uri"))
    named = {"Mcp_Name": name} if name else {}
    return {"MCP_Protocol_Version": MODERN, "Mcp_Method": message["method"], **named}


def initialize(revision: str = "2025-11-25") -> dict[str, object]:
    info = {"name": "tests", "version": "1"}
    return request(0, "initialize", protocolVersion=revision, capabilities={}, clientInfo=info)


def call(request_id: object, tool: str, **arguments: object) -> dict[str, Any]:
    return request(request_id, "tools/call", name=tool, arguments=arguments)


class ConnectionFactory:
    """Makes connections, each with the tools of the workbench that is current at its start."""

    def __init__(self) -> None:
        self.workbench = Workbench()
        self.event_bus = EventBus()

    def connect(self, transport: Transport) -> Server:
        """Make a connection that serves a transport."""
        workbench = self.workbench
        return Server(transport, lambda: workbench.catalog, IDENTITY, event_bus=self.event_bus)

    def catalog(self) -> Catalog:
        """The tools of the current workbench."""
        return self.workbench.catalog


@contextmanager
def served(factory: ConnectionFactory, arrival_seconds: float = HTTP_ARRIVAL_SECONDS) -> Iterator[str]:
    """Run a server during the block, which gets its URL."""
    server = HttpServer(Application(factory.connect, TOKEN, factory.catalog), 0, arrival_seconds)
    thread = Thread(target=server.run, daemon=True)
    thread.start()
    yield server.url
    server.close()
    thread.join(PATIENCE)
    assert not thread.is_alive()


@contextmanager
def serving(home: Path, *arguments: str, **environ: str) -> Iterator[tuple[Program, list[str]]]:
    """Run the program; the block gets it and the lines it prints on standard error at its start."""
    command = [*COMMAND, "--http", "0", *arguments]
    swapped = ["sh", "-c", 'exec "$@" 3>&1 1>&2 2>&3', "sh", *command]  # read its standard error
    with Program(swapped, environment(home, **environ), subprocess.PIPE) as program:
        lines = 1 if "PHARO_MCP_HTTP_TOKEN" in environ else 2
        yield program, [(program.read_line() or b"").decode().rstrip() for _ in range(lines)]
