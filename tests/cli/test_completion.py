"""Shells complete the commands and options of pharo-mcp by the scripts that it prints."""

import shutil
import subprocess
from pathlib import Path

import pytest

from cli.running import run
from pharo_mcp.cli.commands import COMMANDS
from pharo_mcp.cli.options import OPTIONS
from programs import PATIENCE, environment

SHELLS = ("bash", "zsh", "fish", "powershell")
PROGRAMS = {"powershell": "pwsh"}
ASK = {
    "bash": """
source "$1"
COMP_WORDS=({words}) COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1))
_pharo_mcp
printf '%s\\n' "${{COMPREPLY[@]}}"
""",
    "zsh": """
compdef() {{ :; }}
_files() {{ :; }}
_describe() {{ print -l -- ${{(P)3}} | grep -E "^${{words[CURRENT]}}" }}
source $1
words=({words})
CURRENT=$#words
_pharo_mcp
""",
    "fish": """
source $argv[1]
complete -C 'pharo-mcp {line}'
""",
    "powershell": """
param($file)
. $file
(TabExpansion2 'pharo-mcp {line}' -cursorColumn ('pharo-mcp {line}').Length).CompletionMatches.CompletionText
""",
}


@pytest.fixture(params=SHELLS)
def shell(request: pytest.FixtureRequest) -> str:
    name: str = request.param
    if not shutil.which(PROGRAMS.get(name, name)):
        pytest.skip(f"{name} is not installed")
    return name


def completions(shell: str, line: str, folder: Path) -> list[str]:
    """What a shell offers at the end of a line that begins with pharo-mcp."""
    script = folder / "script.ps1"
    script.write_text(run("completion", shell, home=folder).stdout, "utf-8")
    words = " ".join(["pharo-mcp", *(word or "''" for word in line.split(" "))])
    asking = folder / "ask.ps1"
    asking.write_text(ASK[shell].format(line=line, words=words), "utf-8")
    ended = subprocess.run(
        [PROGRAMS.get(shell, shell), str(asking), str(script)],
        env=environment(folder),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert ended.stderr == ""
    separator = ":" if shell == "zsh" else "\t"
    return [found.partition(separator)[0] for found in ended.stdout.splitlines()]


def test_it_completes_commands(shell: str, tmp_path: Path) -> None:
    assert completions(shell, "im", tmp_path) == ["images"]
    assert set(completions(shell, "", tmp_path)) >= {command.name for command in COMMANDS}


def test_it_completes_the_options_of_serving(shell: str, tmp_path: Path) -> None:
    assert set(completions(shell, "--", tmp_path)) >= {option.flag for option in OPTIONS}
    assert completions(shell, "--read", tmp_path) == ["--read-only"]


def test_it_completes_the_options_of_a_command(shell: str, tmp_path: Path) -> None:
    assert completions(shell, "practice --de", tmp_path) == ["--detach"]
    assert completions(shell, "images --", tmp_path) == ["--json"]


def test_it_completes_the_words_that_a_command_accepts(shell: str, tmp_path: Path) -> None:
    assert completions(shell, "setup cu", tmp_path) == ["cursor"]
    assert set(completions(shell, "completion ", tmp_path)) >= set(SHELLS)


@pytest.mark.parametrize("shell", SHELLS)
def test_every_script_names_every_command_and_option(home: Path, shell: str) -> None:
    result = run("completion", shell, home=home)
    assert (result.returncode, result.stderr) == (0, "")
    prefix = "-l " if shell == "fish" else "--"
    for command in COMMANDS:
        assert command.name in result.stdout
        for option in command.options:
            assert prefix + option.flag.removeprefix("--") in result.stdout


def test_an_unknown_shell_is_reported(home: Path) -> None:
    result = run("completion", "tcsh", home=home)
    assert result.returncode == 2
    assert "bash" in result.stderr
