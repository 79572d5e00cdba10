"""An image that answers rudely, late or never, and a client that does not read: nobody hangs."""

import json
import signal
import socket
import struct
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from end_to_end.answers import eventually, failure, running, told_until_answered, value, whole
from image.servers import STATUS, encoded, nobodys_port
from image.servers import value as reply
from programs import COMMAND, PATIENCE, Client, LiveImage, environment

SEVEN = encoded(reply({"printString": "7", "className": "SmallInteger"}))
HEAD = SEVEN[: SEVEN.index(b"Content-Length")]
TYPE = b"Content-Type: application/json"
LARGE = 50 * 1024 * 1024


def reset(peer: socket.socket) -> None:
    """Reset the connection instead of closing it."""
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def flood(peer: socket.socket) -> None:
    """Answer 50 MB."""
    peer.sendall(HEAD + b"Content-Length: %d\r\n\r\n" % LARGE)
    with suppress(OSError):  # nobody reads all of it
        for _ in range(LARGE // 65536):
            peer.sendall(b" " * 65536)


def wait_for_its_end(peer: socket.socket) -> None:
    """Say nothing until the other end has gone, and the answer then."""
    with suppress(OSError):
        while peer.recv(65536):
            pass
        peer.sendall(SEVEN)


def drip(peer: socket.socket) -> None:
    """Answer so slowly that it never ends, though each read gets something."""
    with suppress(OSError):
        peer.sendall(HEAD + b"Content-Length: 9999999\r\n\r\n")
        while True:
            peer.sendall(b"x")
            threading.Event().wait(0.2)


def answer(peer: socket.socket) -> None:
    """Answer as a companion does."""
    peer.sendall(SEVEN)


RUDE: dict[str, Callable[[socket.socket], object]] = {
    "reset after it was sent": reset,
    "closed without a word": lambda peer: None,
    "headers cut": lambda peer: peer.sendall(HEAD[:40]),
    "body cut": lambda peer: peer.sendall(SEVEN[:-5]),
    "garbage": lambda peer: peer.sendall(b"\x00\xff garbage \xfe\r\n\r\n"),
    "garbage for JSON": lambda peer: peer.sendall(SEVEN.replace(b'{"ok', b'{ok"')),
    "wrong content type": lambda peer: peer.sendall(SEVEN.replace(TYPE, b"Content-Type: text/html")),
    "50 MB": flood,
}
SLOW: dict[str, Callable[[socket.socket], object]] = {"late": wait_for_its_end, "drip": drip}


class RudeImage(BaseHTTPRequestHandler):
    """Tells its status as a companion does; what it is asked to evaluate is how it is to be rude."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.wfile.write(encoded(reply(STATUS)))

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        {**RUDE, **SLOW, "3 + 4": answer}[body["expression"]](self.connection)
        self.close_connection = True

    def log_message(self, *_: object) -> None:
        """Keep quiet."""


@pytest.fixture(scope="module")
def rude_image() -> Iterator[str]:
    """The URL of a rude image."""
    with ThreadingHTTPServer(("127.0.0.1", 0), RudeImage) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.fixture(scope="module")
def victim(rude_image: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    """A conversation with the rude image."""
    home = tmp_path_factory.mktemp("home")
    with Client("--url", rude_image, "--token", "any", env=environment(home)) as client:
        client.shake_hands()
        yield client


@pytest.mark.parametrize("how", RUDE)
def test_an_answer_that_is_none_may_have_run_and_the_next_call_is_answered(victim: Client, how: str) -> None:
    told = failure(victim.call("evaluate", expression=how))
    assert "The request may have run, wholly or in part; it was not sent again." in told
    assert value(victim, "3 + 4") == "7"


def test_answers_that_never_end_are_given_up_at_the_deadline_while_others_are_answered(
    victim: Client,
) -> None:
    for how in SLOW:
        victim.begin(how, "evaluate", expression=how, wait_seconds=0)
    assert value(victim, "3 + 4") == "7"
    answers = [victim.receive() for _ in SLOW]
    assert {answer["id"] for answer in answers} == set(SLOW)
    for answer in answers:
        told = failure(answer["result"])
        assert "was lost: it did not arrive in time. The request may have run" in told
    assert value(victim, "3 + 4") == "7"


def test_a_connection_that_is_refused_or_reset_before_anything_was_sent_means_that_nothing_ran(
    home: Path,
) -> None:
    def hang_up(server: socket.socket) -> None:
        with suppress(OSError):
            while True:
                peer, _ = server.accept()
                with peer:
                    reset(peer)

    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(target=hang_up, args=(server,), daemon=True).start()
        for port in (nobodys_port(), server.getsockname()[1]):
            with Client(
                "--url", f"http://127.0.0.1:{port}", "--token", "any", env=environment(home)
            ) as client:
                client.shake_hands()
                assert "Nothing ran." in failure(client.call("evaluate", expression="3 + 4"))
        server.shutdown(socket.SHUT_RDWR)


def test_a_client_that_stops_reading_holds_up_no_other_and_cannot_keep_its_front_end(
    image: LiveImage, client: Client
) -> None:
    large = {"expression": "String new: 100000 withAll: $a", "max_characters": 200_000}
    params = {"name": "evaluate", "arguments": large}
    asked: list[dict[str, object]] = [
        {"id": 0, "method": "initialize", "params": {"protocolVersion": "2025-11-25"}},
        {"id": 1, "method": "tools/call", "params": params},
        {"id": 2, "method": "tools/call", "params": params},
    ]
    with subprocess.Popen(COMMAND, env=image.env(), stdin=subprocess.PIPE, stdout=subprocess.PIPE) as deaf:
        assert deaf.stdin is not None
        assert deaf.stdout is not None
        deaf.stdin.write(b"".join(json.dumps({"jsonrpc": "2.0", **each}).encode() + b"\n" for each in asked))
        deaf.stdin.flush()
        deaf.stdout.readline()
        deaf.stdout.read(1)  # the next answer is on its way, and larger than the pipe
        assert value(client, "3 + 4") == "7"
        deaf.terminate()
        assert deaf.wait(PATIENCE) == 128 + signal.SIGTERM
    eventually(lambda: running(client) == "none")


def test_a_practice_image_that_ended_is_replaced_and_that_is_reported_once(
    tmp_path: Path,
) -> None:
    with Client("--practice", env=environment(tmp_path)) as client:
        client.shake_hands()
        eventually(lambda: not client.call("evaluate", expression="3 + 4").get("isError"))
        said = [failure(client.call("evaluate", expression="Smalltalk exit: 5"))]
        assert "may have run" in said[0]
        assert "the next call restarts it" in said[0]
        said += told_until_answered(client)
        told = "was replaced by a fresh one: it ended with status 5. All that was in it is lost"
        assert "\n".join(said).count(told) == 1  # once, by whichever call met the fresh one
        assert value(client, "3 + 4") == "7"


def test_too_much_memory_is_reported_and_the_next_call_is_answered(tmp_path: Path) -> None:
    with Client("--practice", env=environment(tmp_path)) as client:
        client.shake_hands()
        told = failure(client.call("evaluate", expression="s := 'x'. 40 timesRepeat: [ s := s , s ]"))
        assert told.startswith("OutOfMemory")
        assert value(client, "3 + 4") == "7"
        assert "replaced" not in whole(client.call("get_status"))


def test_a_broken_practice_image_is_reported_and_a_new_one_answers(
    tmp_path: Path,
) -> None:
    with Client("--practice", env=environment(tmp_path)) as client:
        client.shake_hands()
        assert value(client, "x := 3") == "3"
        breaking = "Object class compile: 'new ^ nil'. Object new foo"
        said = [failure(client.call("evaluate", expression=breaking, timeout_seconds=1))]
        assert said[0].startswith("The answer of the image at ")
        assert "may have run, wholly or in part; it was not sent again" in said[0]
        said += told_until_answered(client)
        told = "was replaced by a fresh one: it did not answer for 15 seconds and was ended."
        assert "\n".join(said).count(told) == 1
        assert "Undeclared variable: x" in failure(client.call("evaluate", expression="x"))


def test_a_practice_image_whose_companion_is_started_again_stays(tmp_path: Path) -> None:
    with Client("--practice", env=environment(tmp_path)) as client:
        client.shake_hands()
        value(client, "Smalltalk globals at: #PmcLeft put: 3")
        whole(client.call("evaluate", expression="[ PharoMcp stop. PharoMcp start ] fork. 3"))
        assert "replaced" not in "\n".join(told_until_answered(client))
        assert value(client, "Smalltalk globals at: #PmcLeft") == "3"
