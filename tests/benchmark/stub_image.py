"""A stub image that answers at once, as a process of its own: `python -m benchmark.stub_image HOME [PORT]`.

One thread serves all connections, and each reply is encoded before the first request, so that hardly any of
the measured time is the stub's. It writes a connection file into the home folder and prints its URL.
"""

import json
import os
import re
import selectors
import socket
import sys
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from image.servers import STATUS, TOKEN, encoded, is_whole, value

NAME = str(STATUS["name"])
POLL_SECONDS = 25.0
"""How long a request for events waits, as in an image in which nothing happens."""
SEVEN = {
    "ok": True,
    "value": {"printString": "7", "className": "SmallInteger"},
    "success": True,  # this and the next are what servers for other companions expect
    "result": "7",
}
REPLIES = {
    b"/status": encoded(value(STATUS)),
    b"/registrations": encoded(value({"tools": [], "resources": [], "templates": [], "prompts": []})),
    b"/events": encoded(value({"next": 0, "events": []})),
}
OTHER = encoded((200, SEVEN))
"""The reply to requests for all other paths, evaluations among them."""


class Waiting(NamedTuple):
    """A request for events that is answered later."""

    peer: socket.socket
    until: float


class StubImage:
    """Answers all connections in the thread that calls `serve`."""

    def __init__(self, port: int = 0) -> None:
        self._listener = socket.create_server(("127.0.0.1", port))
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listener, selectors.EVENT_READ)
        self._received: dict[socket.socket, bytes] = {}
        self._waiting: list[Waiting] = []
        self.url = f"http://127.0.0.1:{self._listener.getsockname()[1]}"

    def serve(self) -> None:
        """Answer until the process ends."""
        while True:
            for key, _ in self._selector.select(timeout=1):
                if key.fileobj is self._listener:
                    self._accept()
                elif isinstance(key.fileobj, socket.socket):
                    self._read(key.fileobj)
            self._answer_waiting()

    def _accept(self) -> None:
        peer, _ = self._listener.accept()
        peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._received[peer] = b""
        self._selector.register(peer, selectors.EVENT_READ)

    def _read(self, peer: socket.socket) -> None:
        try:
            piece = peer.recv(65536)
        except OSError:
            piece = b""
        if not piece:
            self._close(peer)
            return
        request = self._received[peer] + piece
        if not is_whole(request):
            self._received[peer] = request
            return
        self._received[peer] = b""
        path = request.split(b" ", 2)[1]
        if path == b"/events" and not re.search(rb'"since": *null', request):
            self._waiting.append(Waiting(peer, monotonic() + POLL_SECONDS))
        else:
            self._send(peer, REPLIES.get(path, OTHER))

    def _send(self, peer: socket.socket, reply: bytes) -> None:
        try:
            peer.sendall(reply)
        except OSError:
            self._close(peer)

    def _close(self, peer: socket.socket) -> None:
        self._waiting = [each for each in self._waiting if each.peer is not peer]
        del self._received[peer]
        self._selector.unregister(peer)
        peer.close()

    def _answer_waiting(self) -> None:
        now = monotonic()
        due = [each for each in self._waiting if each.until <= now]
        self._waiting = [each for each in self._waiting if each.until > now]
        for each in due:
            self._send(each.peer, REPLIES[b"/events"])


def write_connection_file(home: Path, url: str) -> None:
    """Write the file by which pharo-mcp finds the image."""
    folder = home / ".pharo-mcp" / "images"
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "stub.json"
    about = {"url": url, "token": TOKEN, "name": NAME, "system": "Pharo 13.0 (stub)", "image": "stub.image"}
    file.write_text(json.dumps({**about, "pid": os.getpid()}), "utf-8")
    file.chmod(0o600)


def main() -> None:
    """Serve until the process is ended."""
    stub = StubImage(*map(int, sys.argv[2:3]))
    write_connection_file(Path(sys.argv[1]), stub.url)
    sys.stdout.write(f"{stub.url}\n")
    sys.stdout.flush()
    stub.serve()


if __name__ == "__main__":
    main()
