"""Servers to meet on loopback: a plain companion that answers what a test says, and rude ones."""

import json
import queue
import re
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pharo_mcp
from pharo_mcp.address import Address
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.images import at
from pharo_mcp.image.replies.evaluations import Evaluation
from programs import PATIENCE

EXCHANGES = Path(__file__).parents[1] / "contract"
TOKEN = "5ec2e7" * 8
STATUS = {"product": "pharo-mcp", "version": pharo_mcp.__version__, "session": "9f1c", "name": "Pharo13"}

Reply = tuple[int, Mapping[str, Any]]
Answer = Callable[[Any], Reply]


def value(value: Mapping[str, object]) -> Reply:
    return 200, {"ok": True, "value": value}


def failure(status: int, kind: str, text: str = "") -> Reply:
    return status, {"ok": False, "error": {"kind": kind, "messageText": text}}


def not_there(_: object) -> Reply:
    return failure(404, "unknownEndpoint", "There is no such endpoint.")


def seven(_: object) -> Reply:
    return value({"printString": "7", "className": "SmallInteger"})


def running(elapsed: float, transcript: str | None = None) -> Answer:
    """An answer that an evaluation is not over."""
    told = {"evaluation": "e-1", "running": True, "elapsed": elapsed}
    return lambda _: value(told if transcript is None else {**told, "transcript": transcript})


def encoded(reply: Reply, version: str = pharo_mcp.__version__) -> bytes:
    """A whole HTTP response of a companion."""
    status, body = reply
    content = json.dumps(body).encode()
    head = (
        f"HTTP/1.1 {status} Told\r\nX-Pharo-Mcp: {version}\r\n"
        f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n\r\n"
    )
    return head.encode() + content


class Remembering:
    """An answer that remembers what it was asked, and answers one after another."""

    def __init__(self, *answers: Answer) -> None:
        self.asked: list[Any] = []
        self._answers = list(answers)

    def __call__(self, body: Any) -> Reply:
        self.asked.append(body)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        return answer(body)


class Happenings:
    """The events of a companion: those that a test lets happen, one answer each; knows what it was asked."""

    def __init__(self) -> None:
        self.asked: queue.Queue[Any] = queue.Queue()
        self._answers: queue.Queue[Reply] = queue.Queue()

    def happen(self, number: int, *kinds: str, **members: object) -> None:
        """Let events happen up to that number."""
        self.answer(
            value({"next": number, "events": [{"event": 1, "kind": kind} for kind in kinds], **members})
        )

    def answer(self, reply: Reply) -> None:
        """Answer so."""
        self._answers.put(reply)

    def __call__(self, body: Any) -> Reply:
        self.asked.put(body)
        if body["since"] is None:
            return value({"next": 0, "events": []})
        return self._answers.get(timeout=PATIENCE)


class Companion:
    """Answers as a companion would, from a table of paths; counts what it was asked."""

    def __init__(self, answers: Mapping[str, Answer], version: str) -> None:
        self.answers: dict[str, Answer] = {"/status": lambda _: value(STATUS), **answers}
        self.asked: list[str] = []
        companion = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                companion.asked.append(self.path)
                if self.headers["Authorization"] != f"Bearer {TOKEN}":
                    reply = failure(401, "unauthorized")
                else:
                    answer = companion.answers.get(self.path, not_there)
                    reply = answer(json.loads(body) if body else None)
                self.wfile.write(encoded(reply, version))

            do_GET = do_POST  # noqa: N815

            def log_message(self, *_: object) -> None:
                """Keep quiet."""

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = Address(self.server.server_port, TOKEN)


@contextmanager
def companion(version: str = pharo_mcp.__version__, /, **answers: Answer) -> Iterator[Companion]:
    """A companion that answers at `/name` what the function of that name says."""
    companion = Companion({f"/{name}": answer for name, answer in answers.items()}, version)
    with companion.server:
        threading.Thread(target=companion.server.serve_forever, args=(0.01,), daemon=True).start()
        try:
            yield companion
        finally:
            companion.server.shutdown()


@contextmanager
def client_at(address: Address) -> Iterator[ImageClient]:
    client = ImageClient(at(address))
    yield client
    client.close()


@contextmanager
def asking(**answers: Answer) -> Iterator[ImageClient]:
    """A client of a companion that answers so."""
    with companion(pharo_mcp.__version__, **answers) as there:
        client = ImageClient(at(there.address))
        try:
            yield client
        finally:
            client.close()


class Gate:
    """Holds requests back until it is opened, and knows how many wait."""

    def __init__(self) -> None:
        self.open = threading.Event()
        self._arrived = threading.Semaphore(0)
        self.inside = 0
        self.most = 0
        self.lock = threading.Lock()

    def __call__(self, _: object) -> Reply:
        with self.lock:
            self.inside += 1
            self.most = max(self.most, self.inside)
        self._arrived.release()
        assert self.open.wait(PATIENCE)
        with self.lock:
            self.inside -= 1
        return seven(None)

    def wait_for(self, number: int) -> None:
        """Wait until so many more have arrived."""
        for _ in range(number):
            assert self._arrived.acquire(timeout=PATIENCE)


def answered(client: ImageClient) -> str:
    """The print string that an evaluation answers."""
    outcome = client.evaluate("3 + 4")
    assert isinstance(outcome, Evaluation)
    return outcome.print_string


def exchange(name: str) -> Answer:
    """An answer as the contract with the companion has it."""
    reply = json.loads((EXCHANGES / f"{name}.json").read_text("utf-8"))["reply"]
    return lambda _: (reply["status"], reply["body"])


@contextmanager
def rude(behave: Callable[[socket.socket, bytes], None]) -> Iterator[Address]:
    """A server that reads one request per connection, whole, and then does as it likes."""
    ended = threading.Event()

    def answer(peer: socket.socket) -> None:
        with peer, suppress(OSError):  # whoever asks may leave at any time
            peer.settimeout(PATIENCE)
            if request := whole_request(peer):
                behave(peer, request)

    def serve() -> None:
        while not ended.is_set():
            try:
                peer, _ = server.accept()
            except TimeoutError:
                continue  # a program that is still starting may not have asked yet
            except OSError:
                return
            # Each in a thread of its own: pharo-mcp keeps a connection for events beside the others.
            threading.Thread(target=answer, args=[peer], daemon=True).start()

    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE)
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        port = server.getsockname()[1]
        yield Address(port, TOKEN)
        ended.set()
        socket.create_connection(("127.0.0.1", port)).close()
        thread.join(PATIENCE)


def politely_until(
    path: str, then: Callable[[socket.socket], None], *, silent: str | None = None
) -> Callable[[socket.socket, bytes], None]:
    """Answer status requests as a companion does; be rude to requests for a path, say nothing to another."""

    def behave(peer: socket.socket, request: bytes) -> None:
        while not request.startswith(b"POST " + path.encode()):
            if silent and request.startswith(b"POST " + silent.encode()):
                drain(peer)
                return
            peer.sendall(encoded(value(STATUS)))
            request = whole_request(peer)
            if not request:
                return
        then(peer)

    return behave


def whole_request(peer: socket.socket) -> bytes:
    """The next request with its body, in however many pieces it arrives; empty if the other end has gone."""
    request = b""
    while not is_whole(request):
        piece = peer.recv(65536)
        if not piece:
            return b""
        request += piece
    return request


def is_whole(request: bytes) -> bool:
    head, end, body = request.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)\r\ncontent-length: *(\d+)", head)
    return bool(end) and len(body) >= (int(length[1]) if length else 0)


def drain(peer: socket.socket) -> None:
    """Read until the other end has gone."""
    while peer.recv(65536):
        pass


def nobodys_port() -> int:
    """A port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])
