"""What a model is told when the image is not what it should be: each fault its own words, each its fix."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

import pharo_mcp
from programs import Client, LiveImage, environment, running_images, start_stand_in


@contextmanager
def serving(version: str | None) -> Iterator[str]:
    """A server that answers every request alike: a stranger, or a companion of some version; its URL."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            status = {"product": "pharo-mcp", "version": version, "session": "0" * 16, "name": "Pharo"}
            body = json.dumps({"ok": True, "value": status}).encode() if version else b"<h1>It works!</h1>"
            self.send_response(200)
            if version:
                self.send_header("X-Pharo-Mcp", version)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            """Keep quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def nobodys_port() -> str:
    """The URL of a port on which nothing listens."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        return f"http://127.0.0.1:{server.getsockname()[1]}"


def complaint(home: Path, *arguments: str) -> str:
    """The error text of an evaluation, after a handshake and a list that need no image."""
    with Client(*arguments, env=environment(home)) as client:
        client.shake_hands()
        assert client.request("tools/list")["result"]["tools"]
        result = client.call("evaluate", expression="3 + 4")
    assert result["isError"] is True
    [content] = result["content"]
    return str(content["text"])


def test_no_image_at_all(home: Path) -> None:
    said = complaint(home)
    assert said.startswith("No live Pharo image was found")
    assert "Metacello new" in said
    assert "PharoMcp start" in said


def test_a_port_nobody_listens_on(home: Path) -> None:
    url = nobodys_port()
    said = complaint(home, "--url", url, "--token", "any")
    assert said.startswith(f"No image answers at {url}: nothing listens there")
    assert "Metacello new" in said
    assert "PharoMcp start" in said


def test_a_stranger_on_the_port(home: Path) -> None:
    with serving(version=None) as url:
        said = complaint(home, "--url", url, "--token", "any")
    assert said.startswith(f"What listens at {url} is not the companion")
    assert "Another program has that port" in said
    assert "Metacello" not in said


@pytest.mark.parametrize(("version", "fix"), [("0.0.1", "Metacello"), ("99.0.0", "update pharo-mcp")])
def test_a_companion_of_another_version(home: Path, version: str, fix: str) -> None:
    with serving(version) as url:
        said = complaint(home, "--url", url, "--token", "any")
    assert said.startswith(f"The companion at {url} has version {version}")
    assert pharo_mcp.__version__ in said
    assert fix in said


def test_a_wrong_token(image: LiveImage, home: Path) -> None:
    said = complaint(home, "--url", image.url, "--token", "wrong")
    assert said.startswith(f"The companion at {image.url} refused the token")
    assert "PharoMcp start" in said


def test_an_image_killed_in_the_middle_of_a_call_and_started_again(home: Path) -> None:
    slow = "Smalltalk globals at: #Begun put: true. (Delay forSeconds: 30) wait"
    with Client(env=environment(home)) as client, start_stand_in(home).program as first:
        client.shake_hands()
        client.send(call("slow", expression=slow, timeout_seconds=35))
        wait_until_it_has_begun(home)
        first.process.kill()
        answer = client.receive()
        assert answer["id"] == "slow"
        assert answer["result"]["isError"] is True
        assert answer["result"]["content"][0]["text"].startswith("The answer of the image at")
        assert "may have run" in answer["result"]["content"][0]["text"]
        first.wait()
        assert len(running_images(home)) == 1, "a killed image cannot take its connection file away"
        with start_stand_in(home).program:
            assert client.call("evaluate", expression="3 + 4")["content"][0]["text"] == "7"


def call(id: str, **arguments: object) -> dict[str, object]:
    """A request to evaluate."""
    return {
        "jsonrpc": "2.0",
        "id": id,
        "method": "tools/call",
        "params": {"name": "evaluate", "arguments": arguments},
    }


def wait_until_it_has_begun(home: Path) -> None:
    """Ask the image, from a second client, until the slow evaluation has set its mark."""
    with Client(env=environment(home)) as client:
        client.shake_hands()
        for _ in range(1000):
            result = client.call("evaluate", expression="Smalltalk globals includesKey: #Begun")
            if result["content"][0]["text"] == "true":
                return
    pytest.fail("the slow evaluation never began")
