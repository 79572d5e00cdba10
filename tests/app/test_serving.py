"""The program as a process: what only a process shows."""

import json
import queue
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from image.servers import TOKEN, Answer, Companion, companion, politely_until, rude, value
from programs import PATIENCE, Client, environment


def test_what_the_handshake_needs_imports_nothing_heavy() -> None:
    """Each of these would make every start slower; they are imported when first needed, or never."""
    heavy = {
        "httpx",
        "tenacity",
        "fastjsonschema",
        "asyncio",
        "logging",
        "dataclasses",
        "argparse",
        "pathlib",
    }
    script = f"import sys, pharo_mcp.cli; print(sorted({heavy} & sys.modules.keys()))"
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=PATIENCE)
    assert run.stdout.strip() == "[]", run.stderr


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("arguments", [[], ["--stand-in"]])
def test_a_signal_ends_it_in_order(home: Path, number: int, arguments: list[str]) -> None:
    with Client(*arguments, env=environment(home)) as client:
        client.shake_hands()
        client.request("ping")
        client.process.send_signal(number)
        assert client.read_line() is None
        assert client.wait() == 128 + number


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


def test_a_client_that_says_nothing_is_left_in_peace(home: Path) -> None:
    with Client("--stand-in", env=environment(home)) as client:
        client.close_input()
        assert client.wait() == 0


def test_it_says_what_a_model_should_know(home: Path) -> None:
    with Client(env=environment(home)) as client:
        assert "live Pharo Smalltalk image" in client.shake_hands()["instructions"]


def test_structured_answers_are_offered_only_when_asked_for(home: Path) -> None:
    for arguments in ([], ["--structured"]):
        with Client(*arguments, env=environment(home)) as client:
            client.shake_hands()
            tools = client.request("tools/list")["result"]["tools"]
        assert all(("outputSchema" in tool) == bool(arguments) for tool in tools)
