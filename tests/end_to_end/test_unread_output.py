"""Clients that open standard error as a pipe and never read it: calls are answered, and processes end."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from cli.machines import image_in, machine_in
from cli.running import run
from end_to_end.answers import value
from over_http.serving import Web
from programs import COMMAND, Client, Program, environment, running_images

FLOOD = "300 timesRepeat: [ Transcript show: (String new: 1000 withAll: $x); cr ]. 6 * 7"
"""Writes several times what a pipe holds."""
TOKEN = "the-token-of-the-test"
needs_sh = pytest.mark.skipif(os.name != "posix", reason="plays a virtual machine by a shell script")


@contextmanager
def unread(*arguments: str, home: Path, **environ: str) -> Iterator[Program]:
    """Run pharo-mcp, and read no more of its standard error than the block does."""
    command = [*COMMAND, *arguments]
    with Program(command, environment(home, **environ), stderr=subprocess.PIPE) as program:
        yield program


def launching(home: Path) -> list[str]:
    """The arguments that start an image file in the fake virtual machine."""
    return [str(image_in(home / "images")), "--headless", "--vm", str(machine_in(home))]


def check_session(*arguments: str, home: Path, ends_by_signal: bool = False) -> None:
    """Fill the pipe in the middle of a session, go on, and end it."""
    with Client(*arguments, env=environment(home), stderr=subprocess.PIPE) as client:
        client.shake_hands()
        assert value(client, FLOOD) == "42"
        assert value(client, "3 + 4") == "7"
        if ends_by_signal:
            client.process.send_signal(signal.SIGTERM)
        else:
            client.close_input()
        assert client.wait() == (128 + signal.SIGTERM if ends_by_signal else 0)
    assert running_images(home) == []


@pytest.mark.parametrize("ends_by_signal", [False, True], ids=["end of input", "signal"])
def test_a_session_with_a_practice_image(home: Path, ends_by_signal: bool) -> None:
    check_session("--practice", home=home, ends_by_signal=ends_by_signal)


@needs_sh
def test_a_session_with_a_launched_image(home: Path) -> None:
    check_session("--launch", *launching(home), home=home)


def test_a_session_over_http(home: Path) -> None:
    with unread("--http", "0", "--practice", home=home, PHARO_MCP_HTTP_TOKEN=TOKEN) as program:
        assert program.process.stderr is not None
        web = Web(program.process.stderr.readline().decode().split()[-1], TOKEN)
        web.initialize()
        for expression, answer in ((FLOOD, "42"), ("3 + 4", "7")):
            with web.begin_call(1, "evaluate", expression=expression) as opened:
                assert opened.next_event()["result"]["content"][0]["text"] == answer
        program.process.send_signal(signal.SIGTERM)
        assert program.wait() == 128 + signal.SIGTERM


def check_image(*arguments: str, home: Path) -> None:
    """Start an image that goes on until a signal, and fill the pipe."""
    with unread(*arguments, home=home) as program:
        assert b" is listening at " in (program.read_line() or b"")
        assert run("eval", FLOOD, home=home).stdout == "42\n"
        assert run("eval", "3 + 4", home=home).stdout == "7\n"
        program.process.send_signal(signal.SIGTERM)
        assert program.wait() == 128 + signal.SIGTERM
    assert running_images(home) == []


def test_a_practice_image_in_the_foreground(home: Path) -> None:
    check_image("practice", home=home)


@needs_sh
def test_a_launched_image(home: Path) -> None:
    check_image("launch", "--image", *launching(home), home=home)


def test_a_command_with_a_practice_image(home: Path) -> None:
    with unread("eval", "--practice", FLOOD, home=home) as program:
        assert program.read_line() == b"42\n"
        assert program.wait() == 0
    assert running_images(home) == []
