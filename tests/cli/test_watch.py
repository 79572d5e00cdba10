"""`pharo-mcp watch`: as lines, as JSON, and in a real terminal."""

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest

from cli.running import run
from cli.terminals import Terminal
from programs import COMMAND, PATIENCE, LiveImage, Program

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a terminal as POSIX has it")


def lines_until(program: Program, is_last: Callable[[str], bool]) -> list[str]:
    """The lines of a program up to the first of a kind."""
    lines: list[str] = []
    while not lines or not is_last(lines[-1]):
        line = program.read_line()
        assert line is not None, lines
        lines.append(line.decode().rstrip("\n"))
    return lines


def test_plain_prints_lines(image: LiveImage) -> None:
    with Program([*COMMAND, "watch", "--plain"], image.env()) as program:
        [watching] = lines_until(program, lambda line: "watching" in line)
        assert image.system in watching
        run("eval", "self error: 'First. ' , String cr , 'Second.'", home=image.home)
        *_, call, rest = lines_until(program, lambda line: line == "    Second.")
    assert "self error: 'First. '" in call
    assert "!! Error: First.  ... (" in call
    assert rest == "    Second."


def test_json_prints_an_object_per_line(image: LiveImage) -> None:
    with Program([*COMMAND, "watch", "--json"], image.env()) as program:
        assert json.loads(program.read_line() or b"")["event"] == "image"
        run("eval", "6000 + 4", home=image.home)
        told = json.loads(lines_until(program, lambda line: "6000 + 4" in line and "6004" in line)[-1])
    assert told["event"] in ("call", "ended"), "its end is told if it was seen running"
    assert told["printString"] == "6004"


def test_several_may_watch(image: LiveImage) -> None:
    command = [*COMMAND, "watch", "--plain"]
    with Program(command, image.env()) as one, Program(command, image.env()) as other:
        for program in (one, other):
            lines_until(program, lambda line: "watching" in line)
        run("eval", "7000 + 4", home=image.home)
        for program in (one, other):
            assert lines_until(program, lambda line: "7000 + 4 -> 7004" in line)


def test_it_prints_lines_when_its_output_is_no_terminal(image: LiveImage) -> None:
    with Program([*COMMAND, "watch"], image.env()) as program:
        assert lines_until(program, lambda line: "watching" in line)


def test_it_prints_lines_when_nobody_can_press_keys(image: LiveImage) -> None:
    command = ["/bin/sh", "-c", 'exec "$@" </dev/null', "sh", *COMMAND, "watch"]
    with Terminal(command, image.env()) as terminal:
        terminal.read_until("watching")


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_it_ends_when_its_terminal_is_gone_although_the_signal_is_ignored(
    image: LiveImage, unbuffered: str
) -> None:
    """Textual's threads notice the loss in one case when they write, in the other when they flush."""
    command = ["/bin/sh", "-c", 'trap "" HUP; exec "$@"', "sh", *COMMAND, "watch"]
    with Terminal(command, image.env(PYTHONUNBUFFERED=unbuffered)) as terminal:
        terminal.read_until("Running evaluations")
        terminal.hang_up()
        terminal.wait()


def test_it_ends_when_nobody_reads_its_lines(image: LiveImage) -> None:
    command = f"{' '.join(COMMAND)} watch --plain | head -n 1"
    shown = subprocess.Popen(command, shell=True, env=image.env(), stdout=subprocess.PIPE, text=True)
    assert shown.stdout is not None
    assert "watching" in shown.stdout.readline()
    until = monotonic() + PATIENCE
    while shown.poll() is None and monotonic() < until:
        run("eval", "1", home=image.home)
    assert shown.wait(PATIENCE) == 0
    shown.stdout.close()


def test_ctrl_c_ends_it_quietly(image: LiveImage) -> None:
    with Program([*COMMAND, "watch", "--plain"], image.env(), subprocess.PIPE) as program:
        lines_until(program, lambda line: "watching" in line)
        program.process.send_signal(signal.SIGINT)
        assert program.wait() == 130
        assert program.process.stderr is not None
        assert program.process.stderr.read() == b""


def test_without_an_image_it_says_so(home: Path) -> None:
    result = run("watch", home=home)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("pharo-mcp: ")
    assert "#PharoMcp) start" in result.stderr


def test_without_textual_it_says_how_to_install_it() -> None:
    program = (
        "import sys; sys.modules['textual'] = None\n"
        "from pharo_mcp.cli.call import show_screen\n"
        "from pharo_mcp.cli.ending import CommandFailed\n"
        "try: show_screen(None)\n"
        "except CommandFailed as error: print(error)"
    )
    shown = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE, check=True
    ).stdout
    assert "uv tool install 'pharo-mcp[watch] @ " in shown
    assert "--plain" in shown


def test_lines_need_no_textual(image: LiveImage) -> None:
    without = "import sys; sys.modules['textual'] = sys.modules['rich'] = None"
    code = f"{without}; from pharo_mcp.cli.main import main; main()"
    with Program([sys.executable, "-c", code, "watch", "--plain"], image.env()) as program:
        assert lines_until(program, lambda line: "watching" in line)


class Screen:
    """A real terminal (tmux) in which a command runs."""

    def __init__(self, folder: Path, *command: str, env: dict[str, str]) -> None:
        self._tmux = ["tmux", "-S", str(folder / "tmux"), "-f", os.devnull]
        start = ["new-session", "-d", "-x", "110", "-y", "36", *command]
        subprocess.run([*self._tmux, *start], env=env, timeout=PATIENCE, check=True)

    def press(self, *keys: str) -> None:
        """Press keys, one after another."""
        self._run("send-keys", *keys)

    def screen(self) -> str:
        """The text on the screen; empty once the command has ended."""
        return self._run("capture-pane", "-p")

    def wait_for(self, is_so: Callable[[str], Any]) -> str:
        """Wait until something is so on the screen."""
        until = monotonic() + PATIENCE
        while not is_so(screen := self.screen()):
            assert monotonic() < until, screen
            sleep(0.1)
        return screen

    def close(self) -> None:
        """End the terminal and what runs in it."""
        self._run("kill-server")

    def _run(self, *arguments: str) -> str:
        command = [*self._tmux, *arguments]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE, check=False)
        return done.stdout


@pytest.fixture
def terminal(image: LiveImage, tmp_path: Path) -> Iterator[Screen]:
    """A terminal with `pharo-mcp watch`."""
    if not shutil.which("tmux"):
        pytest.skip("needs tmux")
    terminal = Screen(
        tmp_path, *COMMAND, "watch", env=image.env(LANG="C.UTF-8", LC_ALL="C.UTF-8", TERM="xterm-256color")
    )
    yield terminal
    terminal.close()


def test_a_terminal_shows_what_runs_and_stops_it_by_a_key(image: LiveImage, terminal: Screen) -> None:
    terminal.wait_for(lambda screen: image.system in screen)
    with Program(
        [*COMMAND, "eval", "Semaphore new wait. 8004"], image.env(), subprocess.DEVNULL
    ) as evaluation:
        running = terminal.wait_for(lambda screen: "Semaphore new wait. 8004" in screen)
        assert "Running evaluations" in running
        terminal.press("s")
        assert evaluation.wait() == 1
    terminal.press("l")
    terminal.wait_for(lambda screen: "8004 !! cancelled: The evaluation was stopped" in screen)
    terminal.press("l")
    terminal.wait_for(lambda screen: "Stop all" in screen)
    terminal.press("q")
    terminal.wait_for(lambda screen: not screen.strip())
