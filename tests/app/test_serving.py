"""The program as a process: what only a process shows."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

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
