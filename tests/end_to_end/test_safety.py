"""What the image refuses, from a raw socket: nobody gets in who may not, and nothing that is too much."""

import json
import socket
import stat
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from end_to_end.answers import failure, value
from programs import PATIENCE, Client, LiveImage, environment, start_practice_image

SEVEN = b'{"expression": "3 + 4"}'
LONGEST_BODY = 8 * 1024 * 1024


def request(
    image: LiveImage,
    *,
    line: str = "POST /evaluate HTTP/1.1",
    body: bytes = SEVEN,
    headers: Mapping[str, str | None] = {},
) -> bytes:
    """A request that is let in, save for what a test changes: a header that is None is left out."""
    polite = {
        "Host": "127.0.0.1",
        "Authorization": f"Bearer {image.token}",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
    }
    told = "".join(f"{name}: {word}\r\n" for name, word in {**polite, **headers}.items() if word is not None)
    return f"{line}\r\n{told}\r\n".encode() + body


def connect(image: LiveImage) -> socket.socket:
    peer = socket.create_connection(("127.0.0.1", int(image.url.rpartition(":")[2])), PATIENCE)
    peer.settimeout(PATIENCE)
    return peer


def exchange(image: LiveImage, sent: bytes) -> tuple[int, Any]:
    """Send bytes; the status and the JSON body of what comes back."""
    with connect(image) as peer:
        peer.sendall(sent)
        with peer.makefile("rb") as answer:
            status = int(answer.readline().split()[1])
            headers = dict(line.decode().rstrip().split(": ", 1) for line in iter(answer.readline, b"\r\n"))
            assert headers["X-Pharo-Mcp"]
            assert headers["Content-Type"].startswith("application/json")
            return status, json.loads(answer.read(int(headers["Content-Length"])))


REFUSED: dict[str, tuple[dict[str, Any], int, str]] = {
    "no token": ({"headers": {"Authorization": None}}, 401, "unauthorized"),
    "wrong token": ({"headers": {"Authorization": "Bearer " + "0" * 64}}, 401, "unauthorized"),
    "foreign Host": ({"headers": {"Host": "evil.example"}}, 403, "forbidden"),
    "Origin": ({"headers": {"Origin": "https://evil.example"}}, 403, "forbidden"),
    "null Origin": ({"headers": {"Origin": "null"}}, 403, "forbidden"),
    "form post": (
        {"headers": {"Content-Type": "application/x-www-form-urlencoded"}},
        415,
        "unsupportedMediaType",
    ),
    "text/plain post": ({"headers": {"Content-Type": "text/plain"}}, 415, "unsupportedMediaType"),
    "mutation by GET": ({"line": "GET /evaluate HTTP/1.1"}, 405, "methodNotAllowed"),
    "oversized body": ({"headers": {"Content-Length": str(LONGEST_BODY + 1)}}, 413, "tooLarge"),
    "deep JSON": ({"body": b"[" * 100_000}, 400, "badRequest"),
    "huge exponent": ({"body": b'{"expression": "7", "timeoutSeconds": 1e999999999}'}, 400, "badRequest"),
    "STON class literal": ({"body": b"OrderedCollection [ 3, 4 ]"}, 400, "badRequest"),
    "illegal Content-Length": ({"headers": {"Content-Length": "many"}}, 400, "badRequest"),
    "negative Content-Length": ({"headers": {"Content-Length": "-1"}}, 400, "badRequest"),
}


@pytest.mark.parametrize(("changed", "status", "kind"), REFUSED.values(), ids=REFUSED)
def test_refusals_have_their_status_and_a_json_body(
    image: LiveImage, client: Client, changed: dict[str, Any], status: int, kind: str
) -> None:
    refused, body = exchange(image, request(image, **changed))
    assert (refused, body["ok"], body["error"]["kind"]) == (status, False, kind)
    assert body["error"]["messageText"]
    assert image.token not in json.dumps(body)
    assert value(client, "3 + 4") == "7"


def test_valid_requests_are_answered(image: LiveImage) -> None:
    status, body = exchange(image, request(image))
    assert (status, body["ok"], body["value"]["printString"]) == (200, True, "7")


@pytest.mark.skipif(sys.platform == "win32", reason="there the user's profile is protected as a whole")
def test_the_connection_file_and_its_folder_are_for_their_user_alone(image: LiveImage) -> None:
    folder = image.home / ".pharo-mcp" / "images"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert {stat.S_IMODE(file.stat().st_mode) for file in folder.glob("*.json")} == {0o600}


def test_very_slow_requests_do_not_block_others(image: LiveImage, client: Client) -> None:
    whole = request(image)
    slow = [connect(image) for _ in range(5)]
    for place in range(0, 40, 10):
        for peer in slow:
            peer.sendall(whole[place : place + 10])
        assert value(client, "3 + 4") == "7"
    for peer in slow:
        peer.close()


def test_no_log_and_no_answer_holds_the_content_of_the_connection_file(home: Path) -> None:
    image = start_practice_image(home, stderr=subprocess.PIPE)
    with image.program, Client(env=environment(home), stderr=subprocess.PIPE) as client:
        client.shake_hands()
        told = [value(client, "3 + 4"), failure(client.call("evaluate", expression="1/0"))]
        exchange(image, request(image, **REFUSED["foreign Host"][0]))
        exchange(image, request(image, **REFUSED["illegal Content-Length"][0]))
        told += [
            value(client, "PharoMcp log"),
            value(client, "PharoMcp current"),
            value(client, "PharoMcp current token"),
        ]
        image.program.process.kill()
        told += [failure(client.call("evaluate", expression="3 + 4"))]
        client.close_input()
        assert client.wait() == 0
        for program in (client, image.program):
            assert program.process.stderr is not None
            told.append(program.process.stderr.read().decode())
    assert all(image.token not in each for each in told)
