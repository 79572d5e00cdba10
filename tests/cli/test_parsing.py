"""How the command line is read: options anywhere, help, examples and suggestions."""

import json
import os
import shlex
from pathlib import Path

import pytest

import pharo_mcp
from cli.running import run
from cli.terminals import Terminal
from pharo_mcp.cli.commands import COMMANDS
from pharo_mcp.cli.examples import EXAMPLES
from pharo_mcp.cli.options import OPTIONS
from pharo_mcp.cli.parsing import FLAGS, parser, parser_of, split
from programs import COMMAND, LiveImage, environment

NAMES = [command.name for command in COMMANDS]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--json", "eval", "3 + 4"],
        ["eval", "--json", "3 + 4"],
        ["eval", "3 + 4", "--json"],
        ["--timeout", "5", "eval", "--json", "3 + 4"],
        ["--timeout=5", "--json", "eval", "3 + 4"],
        ["--json", "call", "evaluate", "expression=3 + 4"],
        ["call", "--json", "evaluate", "expression=3 + 4"],
        ["call", "evaluate", "--json", "expression=3 + 4"],
        ["call", "evaluate", "expression=3 + 4", "--json", "wait_seconds=5"],
    ],
    ids=" ".join,
)
def test_options_may_stand_anywhere(practice: LiveImage, arguments: list[str]) -> None:
    result = run(*arguments, home=practice.home)
    assert json.loads(result.stdout)["content"] == [{"type": "text", "text": "7"}], result.stderr


def test_what_follows_two_hyphens_is_no_option(practice: LiveImage) -> None:
    assert run("eval", "--", "--json", home=practice.home).returncode == 1
    assert run("eval", "--", "-3 abs", home=practice.home).stdout == "3\n"
    assert run("eval", "-3 abs", home=practice.home).stdout == "3\n"


@pytest.mark.parametrize(
    ("arguments", "command", "others"),
    [
        ([], None, []),
        (["--image", "eval"], None, ["--image", "eval"]),
        (["--image", "eval", "eval", "eval"], "eval", ["--image", "eval", "eval"]),
        (["--image=Zoo", "eval", "3"], "eval", ["--image=Zoo", "3"]),
        (["--practice", "eval", "-"], "eval", ["--practice", "-"]),
        (["--unknown", "word", "eval"], None, ["--unknown", "word", "eval"]),
        (["--", "eval"], None, ["--", "eval"]),
    ],
)
def test_the_command_is_the_first_word_that_is_neither_an_option_nor_its_value(
    arguments: list[str], command: str | None, others: list[str]
) -> None:
    assert split(arguments) == (command, others)


def test_an_option_has_a_value_for_all_commands_or_for_none() -> None:
    for options in (OPTIONS, *(command.options for command in COMMANDS)):
        for option in options:
            assert FLAGS[option.flag] == bool(option.parse)


@pytest.mark.parametrize("name", [name for name in NAMES if name != "help"])
def test_every_way_to_ask_for_the_help_of_a_command_shows_it(home: Path, name: str) -> None:
    shown = {run(*words, home=home).stdout for words in ([name, "-h"], ["help", name], ["--help", name])}
    [text] = shown
    assert text.startswith(f"usage: pharo-mcp {name} ")
    assert "\nexamples:\n" in text


@pytest.mark.parametrize("arguments", [["help"], ["-h"], ["--help"], ["help", "--help"]], ids=" ".join)
def test_the_help_of_all_lists_every_command(home: Path, arguments: list[str]) -> None:
    result = run(*arguments, home=home)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("usage: pharo-mcp [OPTIONS]")
    for command in COMMANDS:
        assert f"  {command.name} " in result.stdout
        assert command.help in result.stdout


def test_every_command_has_examples_and_no_other_has() -> None:
    assert sorted(EXAMPLES) == sorted(["", *NAMES])


@pytest.mark.parametrize(
    ("command", "line"),
    [(command, line) for command, lines in EXAMPLES.items() for line, _ in lines],
    ids=lambda each: each,
)
def test_every_example_can_be_typed(
    command: str, line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "src" / "Zoo").mkdir(parents=True)
    (tmp_path / "src" / "Zoo" / "package.st").write_text("Package { #name : 'Zoo' }", "utf-8")
    monkeypatch.chdir(tmp_path)
    words = shlex.split(line.partition(" < ")[0].partition(" > ")[0].partition(" | ")[0])
    words = [word.strip("<()") for word in words if word != "source"]
    assert words[0] == "pharo-mcp"
    name, others = split(words[1:])
    if command:
        assert name == command
    if name is None:
        parser().parse_args(others)
    else:
        [found] = [each for each in COMMANDS if each.name == name]
        parser_of(found).parse_intermixed_args(others)


@pytest.mark.parametrize(
    "arguments", [["-V"], ["--version"], ["-V", "eval"], ["images", "--version"]], ids=" ".join
)
def test_the_version_can_be_asked_for_anywhere(home: Path, arguments: list[str]) -> None:
    result = run(*arguments, home=home)
    assert (result.returncode, result.stdout) == (0, f"pharo-mcp {pharo_mcp.__version__}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evl", "3"], "pharo-mcp: unknown command evl (did you mean eval?); `pharo-mcp help` lists all\n"),
        (["help", "image"], "pharo-mcp: unknown command image (did you mean images?); `pharo-mcp help`"),
        (["zork"], "pharo-mcp: unknown command zork; `pharo-mcp help` lists all\n"),
        (["serve"], "there is no command serve: `pharo-mcp` without a command serves on standard input"),
        (["serve", "--http", "8000"], "`pharo-mcp --http PORT` serves over HTTP\n"),
        (["help", "install"], "`pharo-mcp setup CLIENT` adds it to a client"),
        (["evaluate", "3 + 4"], "`pharo-mcp eval EXPRESSION` evaluates Smalltalk"),
        (["--http"], "error: --http needs a value: serve over HTTP on this port; 0 lets the system choose"),
        (["--http", "--practice"], "error: --http needs a value: serve over HTTP on this port"),
        (["eval", "3", "--image"], "error: --image needs a value: name, URL or file of the live image"),
        (["practice", "--load"], "error: --load needs a value: load the Tonel packages in a folder"),
        (["--imag", "Zoo"], "unknown option --imag (did you mean --image?)"),
        (["eval", "3", "--jsn"], "unknown option --jsn (did you mean --json?)"),
        (["practice", "--detatch"], "unknown option --detatch (did you mean --detach?)"),
        (["images", "Zoo"], "unrecognized arguments: Zoo\n`pharo-mcp images --help` shows its options\n"),
        (["call", "--practice", "evalute"], "unknown tool evalute (did you mean evaluate?); the tools are"),
    ],
)
def test_a_misspelt_word_is_reported_with_the_similar_one(
    home: Path, arguments: list[str], message: str
) -> None:
    result = run(*arguments, home=home)
    assert (result.returncode, result.stdout) == (2, "")
    assert message in result.stderr


@pytest.mark.skipif(os.name != "posix", reason="a terminal as POSIX has it")
def test_in_a_terminal_serving_says_what_it_is_and_what_to_type_instead(home: Path) -> None:
    with Terminal(COMMAND, environment(home)) as terminal:
        shown = terminal.read_until("Ctrl-D ends this.")
        assert "serves MCP on its standard input and output" in shown
        for command in ("setup", "eval", "doctor", "help"):
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
