"""The program as a process: what only a process shows."""

import json
import queue
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from image.servers import (
    TOKEN,
    Answer,
    Companion,
    Remembering,
    Reply,
    companion,
    politely_until,
    rude,
    running,
    seven,
    value,
)
from programs import COMMAND, PATIENCE, Client, environment


def test_serving_does_not_import_what_only_some_commands_need() -> None:
    """Each of these would make every start slower."""
    optional = {"asyncio", "textual", "tomlkit", "uvicorn"}
    script = f"import sys, pharo_mcp.cli.main; print(sorted({optional} & sys.modules.keys()))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE)
    assert run.stdout.strip() == "[]", run.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("arguments", [[], ["--practice"]])
def test_a_signal_right_after_the_handshake_ends_it_quietly_and_in_order(
    home: Path, number: int, arguments: list[str]
) -> None:
    with Client(*arguments, env=environment(home), stderr=subprocess.PIPE) as client:
        client.request("initialize", protocolVersion="2025-11-25")
        client.process.send_signal(number)
        assert client.read_line() is None
        assert client.wait() == 128 + number
        assert client.process.stderr is not None
        assert client.process.stderr.read() == b""


def test_a_signal_in_the_middle_of_a_call_leaves_the_image_at_once(home: Path) -> None:
    seen: queue.Queue[str] = queue.Queue()

    def wait(peer: socket.socket) -> None:
        seen.put("asked")
        while peer.recv(65536):
            pass
        seen.put("left")

    with rude(politely_until("/evaluate", wait)) as address:
        arguments = ("--url", address.url, "--token", address.token)
        with Client(*arguments, env=environment(home)) as client:
            client.shake_hands()
            params = {"name": "evaluate", "arguments": {"expression": "3 + 4"}}
            client.send({"jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": params})
            assert seen.get(timeout=PATIENCE) == "asked"
            client.process.send_signal(signal.SIGTERM)
            assert seen.get(timeout=PATIENCE) == "left"
            assert client.wait() == 128 + signal.SIGTERM


def announce(home: Path, image: Companion, name: str) -> None:
    """Write a connection file, as a companion does."""
    folder = home / ".pharo-mcp" / "images"
    folder.mkdir(parents=True, exist_ok=True)
    told = {
        "url": image.address.url,
        "token": TOKEN,
        "name": name,
        "system": "Pharo",
        "image": f"/{name}.image",
    }
    (folder / f"{name}.json").write_text(json.dumps(told), "utf-8")


def said(*arguments: str, home: Path, **environ: str) -> str:
    """What an evaluation through the whole program answers."""
    with Client(*arguments, env=environment(home, **environ)) as client:
        client.shake_hands()
        return str(client.call("evaluate", expression="x")["content"][0]["text"])


def named(name: str) -> Answer:
    return lambda _: value({"printString": name, "className": "ByteString"})


def test_each_way_to_choose_an_image_chooses_it(home: Path) -> None:
    with companion(evaluate=named("zoo")) as zoo, companion(evaluate=named("ark")) as ark:
        announce(home, zoo, "Zoo")
        assert said(home=home) == "zoo"
        announce(home, ark, "Ark")
        assert said(home=home).startswith("2 images are live")
        assert said("--image", "Ark", home=home) == "ark"
        assert said(home=home, PHARO_MCP_IMAGE="Zoo") == "zoo"
        assert said("--url", ark.address.url, home=home) == "ark"
        assert said(home=home, PHARO_MCP_URL=zoo.address.url, PHARO_MCP_TOKEN=TOKEN) == "zoo"


def test_the_end_of_input_ends_it(home: Path) -> None:
    with Client(env=environment(home)) as client:
        client.shake_hands()
        client.close_input()
        assert client.wait() == 0


def test_a_client_that_sends_nothing_ends_normally(home: Path) -> None:
    with Client("--practice", env=environment(home)) as client:
        client.close_input()
        assert client.wait() == 0


def test_the_handshake_has_instructions(home: Path) -> None:
    with Client(env=environment(home)) as client:
        assert "live Pharo Smalltalk image" in client.shake_hands()["instructions"]


CALL = {"name": "evaluate", "arguments": {"expression": "x"}}
CALLING = {"jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": CALL}


class Endless:
    """An image in which every evaluation runs until it is stopped; it knows what ran and was stopped."""

    def __init__(self, image: Companion) -> None:
        self.command = ("--url", image.address.url, "--token", TOKEN)
        self._begun: queue.Queue[Any] = queue.Queue()
        self._stopped: queue.Queue[Any] = queue.Queue()
        self._ended = threading.Event()
        image.answers |= {"/evaluate": self._evaluate, "/stop": self._stop}

    def _evaluate(self, body: Any) -> Reply:
        self._begun.put(body["evaluation"])
        self._ended.wait(PATIENCE)
        return 200, {"ok": False, "error": {"kind": "cancelled", "messageText": "It was stopped."}}

    def _stop(self, body: Any) -> Reply:
        self._stopped.put(body["evaluation"])
        self._ended.set()
        return value({"stopped": [body["evaluation"]], "frozen": []})

    def begun(self) -> str:
        """Wait until an evaluation runs; its id."""
        return str(self._begun.get(timeout=PATIENCE))

    def stopped(self) -> str:
        """Wait until one is stopped; its id."""
        return str(self._stopped.get(timeout=PATIENCE))


@pytest.fixture
def endless() -> Iterator[Endless]:
    with companion() as image:
        yield Endless(image)


def test_a_cancelled_evaluation_is_stopped_in_the_image_and_not_answered(
    home: Path, endless: Endless
) -> None:
    with Client(*endless.command, env=environment(home)) as client:
        client.shake_hands()
        client.send(CALLING)
        evaluation = endless.begun()
        cancelled = {"method": "notifications/cancelled", "params": {"requestId": "slow"}}
        client.send({"jsonrpc": "2.0", **cancelled})
        assert endless.stopped() == evaluation
        assert client.request("ping")["result"] == {}
        client.close_input()
        assert client.read_line() is None


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_the_evaluation_in_the_image(home: Path, endless: Endless, number: int) -> None:
    with Client(*endless.command, env=environment(home)) as client:
        client.shake_hands()
        client.send(CALLING)
        evaluation = endless.begun()
        client.process.send_signal(number)
        assert endless.stopped() == evaluation
        assert client.wait() == 128 + number


@pytest.mark.skipif(sys.platform == "win32", reason="there it is noticed at the next answer")
def test_a_client_that_is_gone_leaves_no_evaluation_behind(home: Path, endless: Endless) -> None:
    initialize = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "initialize",
        "params": {"protocolVersion": "2025-11-25"},
    }
    with subprocess.Popen(
        [*COMMAND, *endless.command], env=environment(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for message in (initialize, CALLING):
            process.stdin.write(json.dumps(message).encode() + b"\n")
        process.stdin.flush()
        evaluation = endless.begun()
        process.stdin.close()
        process.stdout.close()
        assert endless.stopped() == evaluation
        process.wait(PATIENCE)


def test_progress_comes_before_the_answer_to_who_gave_a_token(home: Path) -> None:
    evaluation = Remembering(running(2.0, "one\n"), seven)
    with (
        companion(evaluate=running(1.0), evaluation=evaluation) as image,
        Client("--url", image.address.url, "--token", TOKEN, env=environment(home)) as client,
    ):
        client.shake_hands()
        params = {**CALL, "_meta": {"progressToken": "p"}}
        client.send({**CALLING, "params": params})
        first, second, answer = (client.receive() for _ in range(3))
    assert first["params"] == {"progressToken": "p", "progress": 1.0}
    assert second["params"] == {"progressToken": "p", "progress": 2.0, "message": "one"}
    assert answer["result"]["content"][0]["text"] == "7"


def test_read_only_offers_nothing_that_can_change_the_image(home: Path) -> None:
    for arguments, environ in ((["--read-only"], {}), ([], {"PHARO_MCP_READ_ONLY": "1"})):
        with Client(*arguments, env=environment(home, **environ)) as client:
            client.shake_hands()
            tools = client.request("tools/list")["result"]["tools"]
            assert all(tool["annotations"]["readOnlyHint"] for tool in tools)
            refused = client.call("evaluate", expression="3 + 4")
            assert refused["isError"]
            assert "this session is read-only" in refused["content"][0]["text"]


def test_one_of_several_images_is_chosen_in_the_session(home: Path) -> None:
    with companion(evaluate=named("zoo")) as zoo, companion(evaluate=named("ark")) as ark:
        announce(home, zoo, "Zoo")
        announce(home, ark, "Ark")
        with Client(env=environment(home)) as client:
            client.shake_hands()
            asked = client.call("evaluate", expression="x")["content"][0]["text"]
            assert asked.startswith("2 images are live")
            assert "select_image" in asked
            client.call("select_image", name="Ark")
            texts = [block["text"] for block in client.call("evaluate", expression="x")["content"]]
            assert texts == ["ark", f"Image: Pharo13 at {ark.address.url}"]
