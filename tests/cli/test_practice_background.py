"""`pharo-mcp practice` in the background: of a shell, of a service manager, and on its own."""

import json
import os
import shlex
import signal
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from cli.running import run
from cli.terminals import Terminal
from end_to_end.answers import eventually
from pharo_mcp.app.processes import launch_records
from programs import COMMAND, Program, environment, running_images

pytestmark = pytest.mark.skipif(os.name != "posix", reason="shells, terminals and signals as POSIX has them")

PRACTICE = shlex.join([*COMMAND, "practice"])

NONE = "There is nothing to stop: the image of a session ends with it.\n"


@pytest.fixture
def stopped_home(home: Path) -> Iterator[Path]:
    """A home folder whose practice images are stopped in the end."""
    yield home
    assert run("practice", "--stop", home=home).returncode == 0
    assert json.loads(run("images", "--json", home=home).stdout) == []


def value(home: Path, *options: str) -> str:
    return run("eval", *options, "3 + 4", home=home).stdout


def names(home: Path) -> list[str]:
    return sorted(str(image.connection["name"]) for image in running_images(home))


@pytest.mark.parametrize(
    "redirection", ["</dev/null", "<&-", "0>/dev/null", "<{file}"], ids=["null", "closed", "nohup", "file"]
)
def test_it_runs_without_anybody_at_its_standard_input(home: Path, tmp_path: Path, redirection: str) -> None:
    (tmp_path / "file").write_text("text\n", "utf-8")
    line = f"exec {PRACTICE} {redirection.format(file=shlex.quote(str(tmp_path / 'file')))}"
    with Program(["/bin/sh", "-c", line], environment(home)) as program:
        assert b"is listening at" in (program.read_line() or b"")
        assert value(home) == "7\n"
        program.process.send_signal(signal.SIGTERM)
        assert program.wait() == 128 + signal.SIGTERM
    assert running_images(home) == []


def test_it_ends_with_the_program_that_has_started_it(home: Path) -> None:
    with Program([*COMMAND, "practice"], environment(home)) as program:
        assert b"is listening at" in (program.read_line() or b"")
        program.close_input()
        assert program.wait() == 0
    assert running_images(home) == []


def test_in_the_background_of_a_terminal_it_goes_on(home: Path) -> None:
    line = f"{PRACTICE} & read line; {shlex.join(COMMAND)} eval '3 + 4'; kill $!; wait $!; echo ended $?"
    with Terminal(["/bin/sh", "-m", "-c", line], environment(home)) as terminal:
        terminal.read_until("is listening at")
        terminal.type("typed while it runs\n")
        terminal.read_until("\r\n7\r\n")
        terminal.read_until("ended 143")
    assert running_images(home) == []


def test_a_terminal_that_is_closed_ends_it_and_leaves_nothing_behind(home: Path) -> None:
    with Terminal([*COMMAND, "practice"], environment(home)) as terminal:
        terminal.read_until("is listening at")
        os.kill(terminal.process.pid, signal.SIGHUP)
        assert terminal.wait() == 128 + signal.SIGHUP
    assert running_images(home) == []


def test_with_nohup_a_terminal_that_is_closed_does_not_end_it(home: Path) -> None:
    with Terminal(["nohup", *COMMAND, "practice"], environment(home), home) as terminal:
        terminal.read_until("nohup")
        output = home / "nohup.out"
        until_listening(terminal, output)
        os.kill(terminal.process.pid, signal.SIGHUP)
        assert value(home) == "7\n"
        os.kill(terminal.process.pid, signal.SIGTERM)
        assert terminal.wait() == 128 + signal.SIGTERM


def until_listening(terminal: Terminal, output: Path) -> None:
    """Wait until the image's process has ended or written that it listens into a file."""
    with subprocess.Popen(["tail", "-n", "+1", "-f", str(output)], stdout=subprocess.PIPE) as tail:
        assert tail.stdout is not None
        assert b"is listening at" in tail.stdout.readline()
        tail.kill()


def test_detached_it_answers_when_the_command_returns_until_it_is_stopped(stopped_home: Path) -> None:
    started = run("practice", "--detach", home=stopped_home)
    assert (started.returncode, started.stderr) == (0, "")
    [image] = running_images(stopped_home)
    assert f"The practice image practice is listening at {image.url}." in started.stdout
    assert value(stopped_home) == "7\n"
    stopped = run("practice", "--stop", home=stopped_home)
    assert (stopped.returncode, stopped.stdout) == (0, "Stopped practice.\n")
    assert running_images(stopped_home) == []


def test_detached_it_says_what_was_loaded(stopped_home: Path, tmp_path: Path) -> None:
    (tmp_path / "Zoo").mkdir()
    (tmp_path / "Zoo" / "package.st").write_text("Package { #name : 'Zoo' }\n", "utf-8")
    started = run("practice", "--detach", "--load", str(tmp_path), home=stopped_home)
    assert started.stdout.startswith(
        "Loaded Zoo (no class of its own)\nThe practice image practice is listening at "
    )


def test_two_have_two_names_and_are_stopped_together(stopped_home: Path) -> None:
    for _ in range(2):
        assert run("practice", "--detach", home=stopped_home).returncode == 0
    assert names(stopped_home) == ["practice", "practice-2"]
    assert value(stopped_home, "--image", "practice-2") == "7\n"
    stopped = run("practice", "--stop", home=stopped_home).stdout
    assert sorted(stopped.splitlines()) == ["Stopped practice-2.", "Stopped practice."]
    assert names(stopped_home) == []


def test_those_that_start_together_have_names_of_their_own(stopped_home: Path) -> None:
    command = [*COMMAND, "practice", "--detach"]
    with ExitStack() as stack:
        started = [stack.enter_context(Program(command, environment(stopped_home))) for _ in range(3)]
        assert [program.wait() for program in started] == [0, 0, 0]
        lines = [(program.read_line() or b"").decode() for program in started]
    assert names(stopped_home) == ["practice", "practice-2", "practice-3"]
    for image in running_images(stopped_home):
        told = f"The practice image {image.connection['name']} is listening at {image.url}."
        assert sum(line.startswith(told) for line in lines) == 1


def test_an_image_that_was_killed_keeps_no_name_and_no_connection_file(stopped_home: Path) -> None:
    with Program([*COMMAND, "practice"], environment(stopped_home)) as program:
        program.read_line()
        program.process.kill()
        program.wait()
    assert names(stopped_home) == ["practice"]
    assert json.loads(run("images", "--json", home=stopped_home).stdout) == []
    assert names(stopped_home) == []
    started = run("practice", "--detach", home=stopped_home)
    assert "The practice image practice is listening" in started.stdout


def test_what_cannot_start_detached_is_reported_and_leaves_nothing_running(home: Path) -> None:
    (home / ".pharo-mcp").write_text("in the way", "utf-8")
    result = run("practice", "--detach", home=home)
    assert (result.returncode, result.stdout) == (1, "")
    assert result.stderr.startswith("pharo-mcp: ")
    assert "Traceback" not in result.stderr


def test_an_image_that_cannot_write_its_connection_file_says_so_in_a_sentence(home: Path) -> None:
    folder = home / ".pharo-mcp"
    folder.mkdir()
    (folder / "images").write_text("in the way", "utf-8")
    for arguments in (["--detach"], []):
        result = run("practice", *arguments, home=home)
        assert (result.returncode, result.stdout) == (1, "")
        assert result.stderr.startswith("pharo-mcp: ")
        assert ">>" not in result.stderr


def test_stopping_does_not_stop_the_image_of_a_session(home: Path) -> None:
    evaluation = ["eval", "--practice", "-"]
    with Program([*COMMAND, *evaluation], environment(home)) as session:
        session.write(b"(Delay forSeconds: 15) wait. 7")
        session.close_input()
        while not names(home):
            assert session.process.poll() is None
        [name] = names(home)
        assert name.startswith("practice-session-")
        result = run("practice", "--stop", home=home)
        assert (result.returncode, result.stderr) == (0, NONE)
        assert names(home) == [name]
        session.process.send_signal(signal.SIGINT)
        assert session.wait() == 130


def test_one_in_the_foreground_is_stopped_too(home: Path) -> None:
    with Program([*COMMAND, "practice"], environment(home)) as program:
        assert b"is listening at" in (program.read_line() or b"")
        stopped = run("practice", "--stop", home=home)
        assert (stopped.returncode, stopped.stdout) == (0, "Stopped practice.\n")
        assert program.wait() == 128 + signal.SIGTERM
    assert running_images(home) == []


def test_an_image_that_hangs_is_stopped_at_once(stopped_home: Path) -> None:
    assert run("practice", "--detach", home=stopped_home).returncode == 0
    [image] = running_images(stopped_home)
    os.kill(image.connection["pid"], signal.SIGSTOP)
    stopped = run("practice", "--stop", home=stopped_home)
    assert (stopped.returncode, stopped.stdout) == (0, "Stopped practice.\n")
    assert running_images(stopped_home) == []


def test_one_that_was_stopped_from_inside_ends(stopped_home: Path) -> None:
    assert run("practice", "--detach", home=stopped_home).returncode == 0
    assert run("eval", "PharoMcp stop", home=stopped_home).returncode == 0
    eventually(lambda: not launch_records(str(stopped_home / ".pharo-mcp" / "practice")))
    assert run("practice", "--stop", home=stopped_home).stderr == NONE


def test_one_that_was_started_detached_is_stopped_whatever_it_answers(stopped_home: Path) -> None:
    assert run("practice", "--detach", home=stopped_home).returncode == 0
    [file] = (stopped_home / ".pharo-mcp" / "images").iterdir()
    file.unlink()
    assert run("practice", "--stop", home=stopped_home).stdout == "Stopped practice.\n"
    assert run("practice", "--stop", home=stopped_home).stderr == NONE


def test_nothing_to_stop_is_not_a_failure(home: Path) -> None:
    result = run("practice", "--stop", home=home)
    assert (result.returncode, result.stdout) == (0, "")
    assert result.stderr == NONE
