"""What takes a while is announced in a terminal."""

import os
from pathlib import Path

import pytest

from cli.machines import image_in, machine_in
from cli.running import run
from cli.terminals import Terminal
from programs import COMMAND, environment

pytestmark = pytest.mark.skipif(os.name != "posix", reason="terminals as POSIX has them")


def test_launching_is_announced_in_a_terminal(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    command = [*COMMAND, "launch", "--image", str(image), "--headless", "--vm", str(machine)]
    with Terminal(command, environment(home)) as program:
        shown = program.read_until("Ctrl-C stops it.")
        assert "Starting practice.image ..." in shown
        program.type("\x03")
        assert program.wait() == 130


def test_a_program_is_told_nothing_of_it(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    failed = run("launch", "--image", str(image), "--vm", "false", home=home)
    assert "Starting" not in failed.stderr
    assert "\r" not in failed.stderr
    loaded = run("load", "--image", str(image), "--vm", str(machine), home=home)
    assert loaded.returncode == 0
    assert "Loading" not in loaded.stderr
