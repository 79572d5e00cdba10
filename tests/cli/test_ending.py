"""How commands end: after signals, with closed pipes, in every encoding, and after our own bugs."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cli.running import run
from cli.terminals import Terminal
from pharo_mcp.cli.ending import STATUSES
from programs import COMMAND, PATIENCE, LiveImage, Program, environment

posix = pytest.mark.skipif(os.name != "posix", reason="pipes and signals as POSIX has them")
QUIET = (130, 141, 143)


def with_closed_pipe(*arguments: str, home: Path) -> "subprocess.CompletedProcess[str]":
    """Run a command whose standard output nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    try:
        return subprocess.run(
            [*COMMAND, *arguments],
            env=environment(home),
            stdin=subprocess.DEVNULL,
            stdout=writing,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
            check=False,
        )
    finally:
        os.close(writing)


@posix
@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["--version"],
        ["eval", "--help"],
        ["eval", "3 + 4"],
        ["eval", "3 + 4", "--json"],
        ["eval", "String new: 200000 withAll: $a"],
        ["call", "get_status"],
        ["images"],
        ["images", "--json"],
        ["doctor"],
        ["doctor", "--json"],
        ["config", "cursor"],
        ["setup", "cursor"],
        ["load"],
        ["demo"],
    ],
    ids=" ".join,
)
def test_a_closed_pipe_ends_a_command_quietly(
    practice: LiveImage, tmp_path: Path, arguments: list[str]
) -> None:
    home = tmp_path if arguments[0] in ("setup", "demo") else practice.home
    (tmp_path / ".cursor").mkdir()
    result = with_closed_pipe(*arguments, home=home)
    assert (result.returncode, "Traceback" in result.stderr) == (141, False), result.stderr
    assert "Broken" not in result.stderr
    assert not list(tmp_path.glob(".pharo-mcp/images/*"))


@posix
def test_a_practice_image_whose_output_nobody_reads_ends_quietly(home: Path) -> None:
    result = with_closed_pipe("practice", home=home)
    assert (result.returncode, result.stderr) == (141, "")
    assert not list(home.glob(".pharo-mcp/images/*"))


@posix
@pytest.mark.parametrize("options", [[], ["--practice"]], ids=" ".join)
@pytest.mark.parametrize("redirection", [">&-", "2>&-", ">&- 2>&-", "<&-"])
def test_closed_descriptors_are_no_failure(practice: LiveImage, redirection: str, options: list[str]) -> None:
    result = subprocess.run(
        ["/bin/sh", "-c", f'"$@" {redirection}', "sh", *COMMAND, "eval", *options, "3 + 4"],
        env=practice.env(),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout == ("" if ">&-" in redirection.split() else "7\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="only Linux has it")
def test_a_full_disk_is_reported_in_a_sentence(practice: LiveImage) -> None:
    with open("/dev/full", "wb") as full:
        result = subprocess.run(
            [*COMMAND, "eval", "3 + 4"],
            env=practice.env(),
            stdout=full,
            stderr=subprocess.PIPE,
            timeout=PATIENCE,
        )
    assert result.returncode == 1
    assert result.stderr == b"pharo-mcp: No space left on device: standard output\n"


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    "arguments", [["eval", "-"], ["call", "evaluate", "expression=-"]], ids=lambda each: each[0]
)
def test_a_signal_also_stops_the_evaluation(practice: LiveImage, arguments: list[str], number: int) -> None:
    begun = f"begun{number}{arguments[0]}"
    wait = f"[ (Delay forSeconds: 60) wait ] ensure: [ Smalltalk at: #{begun} put: 2 ]"
    source = f"Smalltalk at: #{begun} put: 1. {wait}"
    words = [word.replace("-", source) if word.endswith("-") else word for word in arguments]
    with Program([*COMMAND, *words], practice.env(), subprocess.PIPE) as program:
        await_value(practice, f"Smalltalk at: #{begun} ifAbsent: [ 0 ]", "1\n")
        for _ in range(3):
            program.process.send_signal(number)
        assert program.wait() == 128 + number
        assert program.read_line() is None
        assert program.process.stderr is not None
        assert program.process.stderr.read() == b""
    await_value(practice, f"Smalltalk at: #{begun}", "2\n")
    run("eval", f"Smalltalk globals removeKey: #{begun}", home=practice.home)


def run_python(program: str) -> "subprocess.CompletedProcess[str]":
    """Run a program in Python to its end."""
    return subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE, check=False
    )


def await_value(image: LiveImage, expression: str, value: str) -> None:
    """Ask until an expression has the value; each question takes a while, so that they are bounded."""
    for _ in range(100):
        if (answered := run("eval", expression, home=image.home).stdout) == value:
            return
    raise AssertionError(answered)


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_the_demo_quietly_and_leaves_nothing_behind(home: Path, number: int) -> None:
    with Program([*COMMAND, "demo"], environment(home), subprocess.PIPE) as program:
        assert b"A conversation" in (program.read_line() or b"")
        program.process.send_signal(number)
        assert program.wait() == 128 + number
        assert program.process.stderr is not None
        assert program.process.stderr.read() == b""
    assert not list(home.iterdir())


DROPPED = """
import os, sys, threading
from pharo_mcp.cli import ending
class Signals:
    def __del__(self):
        os.kill(os.getpid(), {number})
def command():
    try:
        Signals()
        threading.Event().wait({seconds})
    finally:
        Signals()
        print("cleaned up", flush=True)
    return 0
sys.exit(ending.run_to_end(command))
"""


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_ends_a_command_although_python_drops_exceptions_of_finalizers(number: int) -> None:
    ended = run_python(DROPPED.format(number=int(number), seconds=PATIENCE))
    assert (ended.returncode, ended.stdout, ended.stderr) == (128 + number, "cleaned up\n", "")


HANGING = """
import os, sys, threading
from pharo_mcp.cli import ending
ending.CLEANUP_SECONDS = 0.1
lock = threading.Lock()
def command():
    with lock:
        try:
            os.kill(os.getpid(), {number})
        finally:
            lock.acquire()
sys.exit(ending.run_to_end(command))
"""


@posix
def test_after_a_signal_a_command_that_hangs_is_ended_and_shows_where() -> None:
    """A signal may leave a lock locked: it can interrupt the method that enters a `with` block."""
    ended = run_python(HANGING.format(number=int(signal.SIGINT)))
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "line 11 in command" in ended.stderr


@posix
def test_ctrl_c_in_a_terminal_ends_the_demo_quietly(home: Path) -> None:
    with Terminal([*COMMAND, "demo"], environment(home)) as terminal:
        terminal.read_until("A conversation")
        terminal.type("\x03")
        shown = terminal.read_to_end()
    assert terminal.process.returncode == 130
    assert "Traceback" not in shown


@pytest.mark.parametrize(
    ("encoding", "printed"),
    [
        ("utf-8", "'é“→中”'"),
        ("cp1252", r"'é“\u2192\u4e2d”'"),
        ("ascii", r"'\xe9\u201c\u2192\u4e2d\u201d'"),
    ],
)
def test_a_value_is_printed_in_every_encoding(practice: LiveImage, encoding: str, printed: str) -> None:
    result = subprocess.run(
        [*COMMAND, "eval", "'é“→中”'"],
        env=practice.env(PYTHONIOENCODING=encoding),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert (result.returncode, result.stdout.decode(encoding).rstrip()) == (0, printed)
    assert result.stderr == b""


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "cp437"])
@pytest.mark.parametrize(
    "arguments", [["--help"], ["doctor"], ["images"], ["demo"], ["config", "cursor"], ["load"]], ids=" ".join
)
def test_every_command_prints_in_every_encoding(
    practice: LiveImage, tmp_path: Path, encoding: str, arguments: list[str]
) -> None:
    home = tmp_path if arguments == ["demo"] else practice.home
    result = subprocess.run(
        [*COMMAND, *arguments],
        env=environment(home, PYTHONIOENCODING=encoding),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert b"internal error" not in result.stderr
    assert result.stdout.decode(encoding)


BROKEN = """
import sys
from pharo_mcp.cli import {module} as broken
def run(options):
    raise KeyError("something that nobody has expected\\nin two lines")
broken.{function} = run
from pharo_mcp.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def run_broken(home: Path, module: str, function: str, *arguments: str, **environ: str) -> tuple[int, str]:
    result = subprocess.run(
        [sys.executable, "-c", BROKEN.format(module=module, function=function), *arguments],
        env=environment(home, **environ),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return result.returncode, result.stderr


@pytest.mark.parametrize("arguments", [["images"], ["images", "--json"]])
def test_a_bug_of_ours_is_reported_without_a_traceback(home: Path, arguments: list[str]) -> None:
    status, said = run_broken(home, "call", "run_images", *arguments)
    assert status == 70
    assert said.startswith("pharo-mcp: internal error: KeyError: 'something that nobody has expected")
    assert "Traceback" not in said
    assert "PHARO_MCP_DEBUG" in said


@pytest.mark.parametrize("arguments", [[], ["--read-only"]])
def test_a_bug_of_ours_while_serving_is_reported_without_a_traceback(
    home: Path, arguments: list[str]
) -> None:
    status, said = run_broken(home, "main", "serve", *arguments)
    assert status == 70
    assert said.startswith("pharo-mcp: internal error: TypeError")
    assert "Traceback" not in said


def test_a_traceback_is_shown_if_it_is_asked_for(home: Path) -> None:
    status, said = run_broken(home, "call", "run_images", "images", PHARO_MCP_DEBUG="1")
    assert status == 1
    assert "Traceback" in said


def test_every_exit_status_is_in_the_table_once() -> None:
    numbers = [number for number, _ in STATUSES]
    assert numbers == sorted(set(numbers))
    assert {0, 1, 2, *QUIET} <= set(numbers)


def test_the_help_shows_the_exit_statuses(home: Path) -> None:
    shown = " ".join(run("--help", home=home).stdout.split())
    for number, meaning in STATUSES:
        assert f"{number} {meaning.split(':')[0].split(';')[0]}" in shown


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_serving_over_http_may_be_stopped_twice(home: Path, number: int) -> None:
    with Program([*COMMAND, "--http", "0"], environment(home), subprocess.PIPE) as program:
        assert program.process.stderr is not None
        assert b"serves MCP at" in program.process.stderr.readline()
        program.process.stderr.readline()
        for _ in range(5):
            program.process.send_signal(number)
        assert program.wait() == 128 + number
        assert program.process.stderr.read() == b""


def test_json_is_ascii_in_every_encoding(practice: LiveImage) -> None:
    printed = run("eval", "--json", "'é→'", home=practice.home, PYTHONIOENCODING="ascii").stdout
    assert json.loads(printed)["structuredContent"]["printString"] == "'é→'"


@posix
@pytest.mark.parametrize("locale", ["C", "C.UTF-8"])
def test_expressions_are_utf_8_in_every_locale(practice: LiveImage, locale: str) -> None:
    env = practice.env(LC_ALL=locale, PYTHONUTF8="0", PYTHONCOERCECLOCALE="0")
    for words, piped in ((["'é→'"], b""), (["-"], "'é→'".encode()), (["-"], "\ufeff'é→'".encode())):
        result = subprocess.run(
            [*COMMAND, "eval", "--json", *words],
            env=env,
            input=piped,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
        assert json.loads(result.stdout)["structuredContent"]["printString"] == "'é→'"


def test_input_in_another_encoding_is_that_of_the_locale(practice: LiveImage) -> None:
    result = subprocess.run(
        [*COMMAND, "eval", "--json", "-"],
        env=practice.env(PYTHONIOENCODING="cp1252"),
        input="'é€'".encode("cp1252"),
        capture_output=True,
        timeout=PATIENCE,
        check=False,
    )
    assert json.loads(result.stdout)["structuredContent"]["printString"] == "'é€'"


@posix
@pytest.mark.parametrize(
    "arguments", [["practice"], ["practice", "--detach"], ["images"], ["eval", "--practice", "3"]]
)
def test_a_folder_that_was_deleted_is_no_traceback(home: Path, arguments: list[str]) -> None:
    result = subprocess.run(
        ["/bin/sh", "-c", 'mkdir gone && cd gone && rmdir ../gone && exec "$@"', "sh", *COMMAND, *arguments],
        env=environment(home),
        cwd=home,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert "Traceback" not in result.stderr
    if arguments[0] == "practice":
        assert result.returncode == 1
        assert "the current folder was deleted" in result.stderr
