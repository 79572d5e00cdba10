"""`scripts/record`: a server's tools on a command line, and what their calls cost."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from programs import COMMAND, PATIENCE, LiveImage

SCRIPT = Path(__file__).parents[1] / "scripts" / "record"
SUM, DIVISION = ('{"expression": "3 + 4"}', '{"expression": "1/0"}')


class Door:
    """A recording named `shop` in a folder of its own."""

    def __init__(self, folder: Path, env: dict[str, str]) -> None:
        self._folder, self._env = folder, {**env, "PHARO_MCP_RECORD": "started"}

    def command(self, *words: str) -> list[str]:
        return [sys.executable, str(SCRIPT), "shop", *words]

    def open(self, *server: str) -> subprocess.Popen[str]:
        return subprocess.Popen(
            self.command("--", *server), cwd=self._folder, env=self._env, stderr=subprocess.PIPE, text=True
        )

    def run(self, *words: str) -> tuple[int, str]:
        done = subprocess.run(
            self.command(*words),
            cwd=self._folder,
            env=self._env,
            capture_output=True,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr


@pytest.fixture
def door(image: LiveImage, tmp_path: Path) -> Iterator[Door]:
    door = Door(tmp_path, {**image.env(), "PATH": os.environ["PATH"]})
    with door.open(*COMMAND) as server:
        assert server.stderr is not None
        line = server.stderr.readline()
        while line and not line.startswith("Recording in"):
            line = server.stderr.readline()
        assert line == "Recording in shop.jsonl.\n"
        try:
            yield door
        finally:
            assert door.run("stop") == (0, "Stopped.\n")
            assert server.wait(PATIENCE) == 0


def test_each_call_is_answered_as_to_a_client_and_counted(door: Door) -> None:
    assert "evaluate: Evaluate Smalltalk" in door.run("tools")[1]
    assert door.run("call", "evaluate", SUM) == (0, "7\n")
    status, answer = door.run("call", "evaluate", DIVISION)
    assert (status, answer.splitlines()[0]) == (1, "ZeroDivide")
    header, evaluate, everything = door.run("summary")[1].splitlines()
    assert header.split() == ["calls", "failed", "sent", "received", "seconds", "tool"]
    calls, failed, sent, received, _, name = evaluate.split()
    assert (calls, failed, sent, name) == ("2", "1", str(len(SUM) + len(DIVISION)), "evaluate")
    assert int(received) == len("7") + len(answer.rstrip("\n").encode())
    assert everything.split()[:4] == [calls, failed, sent, received]


def test_an_unknown_tool_and_arguments_that_are_not_json_are_failed_calls(door: Door) -> None:
    assert door.run("call", "zork", "{}")[0] == 1
    assert door.run("call", "evaluate", "{")[0] == 1
    assert door.run("summary")[1].splitlines()[-1].split()[:2] == ["2", "2"]


def test_without_a_server_the_next_step_is_named(tmp_path: Path) -> None:
    status, told = Door(tmp_path, dict(os.environ)).run("tools")
    assert status == 1
    assert "start one with scripts/record NAME -- COMMAND" in told
