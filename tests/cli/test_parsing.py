"""How the command line is read: commands, options, help and examples."""

import json
import os
import shlex
from importlib import import_module
from pathlib import Path

import pytest

from cli.running import run
from cli.terminals import Terminal
from pharo_mcp.cli.commands import COMMANDS, EXAMPLES, Command, parse
from programs import COMMAND, LiveImage, environment

NAMES = [command.name for command in COMMANDS]


@pytest.mark.parametrize(
    "arguments",
    [
        ["eval", "--json", "3 + 4"],
        ["eval", "3 + 4", "--json"],
        ["--timeout", "5", "eval", "--json", "3 + 4"],
        ["--timeout=5", "eval", "3 + 4", "--json"],
        ["call", "--json", "evaluate", "expression=3 + 4"],
        ["call", "evaluate", "--json", "expression=3 + 4"],
        ["call", "evaluate", "expression=3 + 4", "--json", "wait_seconds=5"],
    ],
    ids=" ".join,
)
def test_options_may_stand_among_the_words_of_a_command(practice: LiveImage, arguments: list[str]) -> None:
    result = run(*arguments, home=practice.home)
    assert json.loads(result.stdout)["content"] == [{"type": "text", "text": "7"}], result.stderr


def test_what_follows_two_hyphens_is_no_option(practice: LiveImage) -> None:
    assert run("eval", "--", "--json", home=practice.home).returncode == 1
    assert run("eval", "--", "-3 abs", home=practice.home).stdout == "3\n"
    assert run("eval", "-3 abs", home=practice.home).stdout == "3\n"


@pytest.mark.parametrize(
    ("arguments", "command", "options"),
    [
        ([], None, {}),
        (["--image", "eval"], None, {"image": "eval"}),
        (["--image", "Zoo", "--read-only"], None, {"image": "Zoo", "read_only": True}),
        (["--image", "eval", "eval", "eval"], "eval", {"image": "eval", "expression": "eval"}),
        (["--image=Zoo", "eval", "3"], "eval", {"image": "Zoo", "expression": "3"}),
        (["--timeout=5", "eval", "--timeout=6", "3"], "eval", {"timeout": "6", "expression": "3"}),
        (["--practice", "eval", "-"], "eval", {"practice": True, "expression": "-"}),
        (["call", "get_status"], "call", {"tool": "get_status", "arguments": []}),
        (
            ["call", "--json", "search", "a=1", "--practice", "b=2"],
            "call",
            {"tool": "search", "arguments": ["a=1", "b=2"], "json": True, "practice": True},
        ),
        (
            ["practice", "--load", "pharo", "--load=pharo"],
            "practice",
            {"load": [os.path.abspath("pharo")] * 2},
        ),
    ],
)
def test_only_what_is_given_is_among_the_options(
    monkeypatch: pytest.MonkeyPatch, arguments: list[str], command: str | None, options: dict[str, object]
) -> None:
    monkeypatch.chdir(Path(__file__).parents[2])
    found, parsed = parse(arguments)
    assert (found and found.name, parsed) == (command, options)


@pytest.mark.parametrize("name", NAMES)
def test_the_help_of_a_command_has_examples(home: Path, name: str) -> None:
    result = run(name, "--help", home=home)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith(f"usage: pharo-mcp {name} ")
    assert f"\nexamples:\n  pharo-mcp {name}" in result.stdout


def test_the_help_of_all_lists_every_command(home: Path) -> None:
    result = run("--help", home=home)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("usage: pharo-mcp [OPTIONS]")
    for command in COMMANDS:
        assert f"  {command.name} " in result.stdout
        assert command.help in result.stdout


@pytest.mark.parametrize(
    ("name", "line"),
    [(command.name, line) for command in COMMANDS for line, _ in command.examples]
    + [(None, line) for line, _ in EXAMPLES[:2]],
)
def test_every_example_can_be_typed(
    name: str | None, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "src" / "Zoo").mkdir(parents=True)
    (tmp_path / "src" / "Zoo" / "package.st").write_text("Package { #name : 'Zoo' }", "utf-8")
    monkeypatch.chdir(tmp_path)
    program, *words = shlex.split(line.partition(" < ")[0])
    assert program == "pharo-mcp"
    command, _ = parse(words)
    assert (command and command.name) == name


@pytest.mark.parametrize("command", COMMANDS, ids=lambda each: each.name)
def test_the_function_of_every_command_is_there(command: Command) -> None:
    module, name = command.function.split(".")
    assert callable(getattr(import_module(f"pharo_mcp.cli.{module}"), name))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evl", "3"], "pharo-mcp: error: argument COMMAND: invalid choice: 'evl' (choose from"),
        (["eval", "3", "--image"], "pharo-mcp eval: error: argument --image: expected one argument\n"),
        (["--http", "--practice"], "pharo-mcp: error: argument --http: expected one argument\n"),
        (["--imag", "Zoo"], "pharo-mcp: error: "),
        (["eval", "3", "--jsn"], "pharo-mcp eval: error: unrecognized arguments: --jsn\nAdd --help to see"),
        (["images", "Zoo"], "pharo-mcp images: error: unrecognized arguments: Zoo\n"),
        (["call", "--practice", "evalute"], "unknown tool evalute (did you mean evaluate?); the tools are"),
    ],
)
def test_what_is_not_understood_is_named(home: Path, arguments: list[str], message: str) -> None:
    result = run(*arguments, home=home)
    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr


@pytest.mark.skipif(os.name != "posix", reason="a terminal as POSIX has it")
def test_in_a_terminal_serving_says_what_it_is_and_what_to_type_instead(home: Path) -> None:
    with Terminal(COMMAND, environment(home)) as terminal:
        shown = terminal.read_until("Ctrl-D ends this.")
        assert "serves MCP on its standard input and output" in shown
        for command in ("setup", "eval", "doctor", "--help"):
            assert f"pharo-mcp {command}" in shown
        terminal.type("\x04")
        terminal.read_to_end()
        assert terminal.process.returncode == 0


@pytest.mark.skipif(os.name != "posix", reason="a terminal as POSIX has it")
@pytest.mark.parametrize(
    ("arguments", "awaited"),
    [
        ([], "Ctrl-D ends this.\r\n"),
        (["--read-only"], "Ctrl-D ends this.\r\n"),
        (["eval", "--practice", "Transcript show: 'it runs'; cr. [ true ] whileTrue"], "it runs"),
    ],
)
def test_ctrl_c_in_a_terminal_ends_it_without_another_word(
    home: Path, arguments: list[str], awaited: str
) -> None:
    with Terminal([*COMMAND, *arguments], environment(home, TERM="xterm")) as terminal:
        terminal.read_until(awaited)
        before = len(terminal.shown)
        terminal.type("\x03")
        terminal.read_to_end()
        assert terminal.process.returncode in (130, -2)
        assert terminal.shown[before:].strip(b"\r\x1b[K^C\n") == b""


def test_a_client_sees_nothing_of_that(home: Path) -> None:
    assert run(home=home).stderr == ""
