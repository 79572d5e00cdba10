"""A stub image, which answers with the replies in `tests/contract`."""

import json
import select
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from zlib import crc32

from image.servers import EXCHANGES, STATUS, TOKEN, Reply, encoded, failure, value

LEFT_OUT = ("/status", "/events", "/registrations")
"""Paths that pharo-mcp requests by itself; their replies are made here."""
LATER = 1_000_000
"""The number of the next event, above those in all replies, so that no reply waits for events."""
LONG = 25.0
SHORT = 0.01


class StubImage(ThreadingHTTPServer):
    """The image; the same request always gets the same reply."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.replies = recorded()

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore it: clients may disconnect at any time."""

    def reply(self, path: str, body: Any) -> Reply:
        """The reply to a request; the ids of evaluations, which are random, are ignored."""
        if path == "/status":
            return value(STATUS)
        if path == "/events":
            return value({"next": LATER, "events": []})
        replies = self.replies.get(path)
        if replies is None:
            return failure(404, "unknownEndpoint", "There is no such endpoint.")
        return replies[self.choice(path, body) % len(replies)]

    @staticmethod
    def choice(path: str, body: Any) -> int:
        """A number that depends on the request."""
        kept = {name: each for name, each in (body or {}).items() if name != "evaluation"}
        return crc32(json.dumps([path, kept], sort_keys=True).encode())


class Handler(BaseHTTPRequestHandler):
    """One connection to the image."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    server: StubImage

    def do_POST(self) -> None:
        content = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        body: Any = json.loads(content) if content else None
        if self.path == "/events" and body["since"] is not None:
            self._wait(LONG)
        elif self.server.choice(self.path, body) % 16 == 0:
            self._wait(SHORT)
        with suppress(OSError):
            self.wfile.write(encoded(self.server.reply(self.path, body)))

    do_GET = do_POST  # noqa: N815

    def _wait(self, seconds: float) -> None:
        """Wait for a time, or until the client disconnects."""
        select.select([self.connection], [], [], seconds)

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


def recorded() -> dict[str, list[Reply]]:
    """The replies by path, without refusals and without evaluations that are still running."""
    found: dict[str, list[Reply]] = {}
    for file in sorted(EXCHANGES.glob("*.json")):
        exchange = json.loads(file.read_text("utf-8"))
        path, reply = exchange["request"]["path"], exchange["reply"]
        is_running = isinstance(reply["body"].get("value"), dict) and reply["body"]["value"].get("running")
        if path not in LEFT_OUT and reply["status"] not in (401, 403, 404, 405) and is_running is not True:
            found.setdefault(path, []).append((reply["status"], reply["body"]))
    registrations = json.loads((EXCHANGES / "registrations.json").read_text("utf-8"))["reply"]
    return {**found, "/registrations": [(registrations["status"], registrations["body"])]}


@contextmanager
def stub_image() -> Iterator[str]:
    """Serve a stub image and yield its URL; its token is `TOKEN`."""
    with StubImage() as server:
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


__all__ = ["TOKEN", "stub_image"]
