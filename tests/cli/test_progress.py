"""Long work shows its progress in a terminal, and nowhere else."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from cli.machines import image_in, machine_in
from cli.running import run
from cli.terminals import Terminal
from programs import COMMAND, PATIENCE, LiveImage, environment

pytestmark = pytest.mark.skipif(os.name != "posix", reason="terminals as POSIX has them")

CLEAR = "\r\x1b[K"
WORKING = """
import sys
from pharo_mcp.cli.terminal import Progress, elapsed
with elapsed("Working:"):
    pass
progress = Progress("Loading:")
progress.show("half " + "x" * 500)
progress.clear()
print("done", file=sys.stderr)
"""


def shown_in(terminal: str, home: Path) -> str:
    with Terminal([sys.executable, "-c", WORKING], environment(home, TERM=terminal)) as program:
        return program.read_to_end()


def test_a_terminal_shows_it_in_one_line_that_is_cleared_in_the_end(home: Path) -> None:
    shown = shown_in("xterm", home)
    assert f"{CLEAR}Working: 0 s" in shown
    assert f"{CLEAR}Loading: half xxx" in shown
    assert "x" * 100 not in shown
    assert shown.endswith(f"{CLEAR}done\n")
    assert shown.count("\n") == 1


def test_a_dumb_terminal_shows_what_is_done_once(home: Path) -> None:
    assert shown_in("dumb", home) == "Working: ...\nLoading: ...\ndone\n"


def test_elsewhere_nothing_is_shown(home: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", WORKING],
        env=environment(home, TERM="xterm"),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=True,
    )
    assert (ended.stdout, ended.stderr) == ("", "done\n")


def test_a_call_shows_the_progress_that_the_image_reports(practice: LiveImage) -> None:
    source = "Transcript show: 'halfway there'; cr. (Delay forSeconds: 2) wait. 6 * 7"
    command = [*COMMAND, "call", "evaluate", f"expression={source}"]
    with Terminal(command, practice.env(TERM="xterm")) as terminal:
        shown = terminal.read_to_end()
    assert "halfway there" in shown
    assert shown.partition(CLEAR)[2]
    assert shown.rpartition(CLEAR)[2].startswith("42\n")


@pytest.mark.usefixtures("ended_images")
@pytest.mark.parametrize("terminal", ["xterm", "dumb"])
def test_launching_shows_progress_in_a_terminal(home: Path, terminal: str) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    command = [*COMMAND, "launch", "--image", str(image), "--headless", "--vm", str(machine)]
    with Terminal(command, environment(home, TERM=terminal)) as program:
        shown = program.read_until("Ctrl-C stops it.")
        assert "Starting practice.image:" in shown
        assert (CLEAR in shown) == (terminal == "xterm")
        program.type("\x03")
        assert program.wait() == 130


def test_launching_and_loading_show_none_to_a_program(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    failed = run("launch", "--image", str(image), "--vm", "false", home=home)
    assert "Starting" not in failed.stderr
    assert "\r" not in failed.stderr
    loaded = run("load", "--image", str(image), "--vm", str(machine), home=home)
    assert loaded.returncode == 0
    assert "Loading" not in loaded.stderr


def test_loading_shows_progress_in_a_terminal(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    command = [*COMMAND, "load", "--image", str(image), "--vm", str(machine)]
    with Terminal(command, environment(home, TERM="xterm")) as program:
        shown = program.read_to_end()
    assert f"{CLEAR}Loading the companion: 0 s" in shown
    assert "The companion was loaded into" in shown
