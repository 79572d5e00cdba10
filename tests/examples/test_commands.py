"""The commands in the pages, run as they stand unless they need a network or another computer."""

import os
import re
import shlex
import signal
import socket
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from subprocess import STDOUT, CompletedProcess
from subprocess import run as run_program

import pytest

from cli.machines import image_in, machine_in
from examples.pages import COMMANDS, PAGES, ROOT, Command, matches
from over_http.serving import Web
from pharo_mcp import with_extra
from pharo_mcp.cli.commands import COMMANDS as COMMANDS_OF_PHARO_MCP
from pharo_mcp.cli.commands import SERVING
from programs import COMMAND, PATIENCE, Client, LiveImage, Program, environment

needs_posix = pytest.mark.skipif(os.name == "nt", reason="the pages show the commands of a POSIX shell")

ADD = "marketplace add OWNER/pharo-mcp"
NOT_RUN = {
    "git clone https://github.com/OWNER/pharo-mcp && cd pharo-mcp": "needs a network",
    "uv tool install 'git+https://github.com/OWNER/pharo-mcp'": "needs a network",
    "pipx install 'git+https://github.com/OWNER/pharo-mcp'": "needs a network",
    f"claude plugin {ADD} && claude plugin install pharo-mcp@pharo-mcp": "needs a network",
    f"codex plugin {ADD} && codex plugin add pharo-mcp@pharo-mcp": "needs a network",
    "pharo-mcp setup claude-desktop": "tests/cli/test_setup.py runs it, with clients in a home of its own",
    "uv tool install 'pharo-mcp[http,watch] @ git+https://github.com/OWNER/pharo-mcp'": "needs a network",
    "uv tool install 'pharo-mcp[http] @ git+https://github.com/OWNER/pharo-mcp'": "needs a network",
    "ssh -L 50123:127.0.0.1:50123 build-machine": "needs another computer",
    "scripts/demo": "installs the project first; tests/cli/test_demo.py runs its command",
}
"""Commands that no test runs as they stand, with the reason."""


def run(command: str, folder: Path, home: Path, **environ: str) -> CompletedProcess[str]:
    """Run a command line of a page in a folder, with our Python instead of the one in `.venv`."""
    words = shlex.split(command)
    if words[0] == ".venv/bin/python":
        words[0] = sys.executable
    return run_program(
        words,
        cwd=folder,
        env=environment(home, **environ),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )


def in_the_practice_image(command: Command, folder: Path, practice: LiveImage) -> None:
    """Run a command of the practice image's program; it prints what is shown."""
    ended = run(command.line, ROOT, folder)
    assert matches(command.output, ended.stdout + ended.stderr)


def script(command: Command, folder: Path, practice: LiveImage) -> None:
    """Check a script that runs for minutes or installs things: it is there, and it names its options."""
    name, *arguments = shlex.split(command.line)
    file = ROOT / name
    source = file.read_text("utf-8")
    compile(source, str(file), "exec")
    for argument in arguments:
        if argument.startswith("--"):
            assert argument in source


def on_a_copy_of_an_image(command: Command, folder: Path, practice: LiveImage) -> None:
    """Run `scripts/test-image` with a virtual machine, found on the PATH, that fails to load."""
    name, image, *options = shlex.split(command.line)
    machine_in(folder, status=3)
    image_in((folder / image).parent).rename(folder / image)
    path = f"{folder}{os.pathsep}{os.environ['PATH']}"
    ended = run(
        shlex.join([sys.executable, str(ROOT / name), image, *options]),
        folder,
        folder,
        PHARO_MCP_TEST_IMAGE="started",
        PATH=path,
    )
    assert "Loading the companion failed with status 3" in ended.stdout + ended.stderr


def over_http(command: Command, folder: Path, practice: LiveImage) -> None:
    """Serve over HTTP on a free port instead of the one that is shown; it prints what is shown."""
    shown = command.line.split()[-1]
    port = str(free_port())
    arguments = command.line.replace(shown, port).split()[1:]
    with Program([*COMMAND, *arguments], environment(folder), stderr=STDOUT) as program:
        lines = [(program.read_line() or b"").decode() for _ in command.output.splitlines()]
        assert matches(command.output.replace(shown, port), "".join(lines))
        url, token = lines[0].split()[-1], lines[1].split()[-1]
        assert Web(url, token).initialize().status == 200
        program.process.send_signal(signal.SIGTERM)
        program.wait()


def over_ssh(command: Command, folder: Path, practice: LiveImage) -> None:
    """Run a command of pharo-mcp as an imitated ssh starts it."""
    ssh = folder / "ssh"
    ssh.write_text(f'#!/bin/sh\nshift 2\nexec {shlex.join(COMMAND)} "$@"\n', "utf-8")
    ssh.chmod(0o700)
    ended = run(command.line.replace("ssh", str(ssh), 1), folder, practice.home)
    assert ended.returncode == 0, ended.stderr


def through_a_tunnel(command: Command, folder: Path, practice: LiveImage) -> None:
    """Start pharo-mcp with an image's address and token in its environment, in a home without an image."""
    *settings, _ = command.line.partition("pharo-mcp")[0].split(" ")
    values = {"PHARO_MCP_URL": practice.url, "PHARO_MCP_TOKEN": practice.token}
    names = [setting.partition("=")[0] for setting in settings]
    environ = {name: values[name] for name in names}
    ended = run(
        shlex.join([*COMMAND, *command.line.partition("pharo-mcp")[2].split()]), folder, folder, **environ
    )
    assert ended.returncode == 0, ended.stderr
    with Client(env=environment(folder, **environ)) as client:
        client.shake_hands()
        assert client.call("evaluate", expression="3 + 4")["content"][0]["text"] == "7"


def by_uvx(command: Command, folder: Path, practice: LiveImage) -> None:
    """Run what uvx would run, without the download; it prints what is shown."""
    words = shlex.split(command.line)
    ended = run(shlex.join([*COMMAND, *words[words.index("pharo-mcp") + 1 :]]), folder, practice.home)
    assert ended.returncode == 0, ended.stderr
    assert matches(command.output, ended.stdout)


def in_a_shell(command: Command, folder: Path, practice: LiveImage) -> None:
    """Run a command line with a live image; it prints what is shown."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    ended = run(shlex.join(["sh", "-c", command.line]), folder, practice.home, PATH=path)
    assert ended.returncode == 0, ended.stderr
    assert matches(command.output, ended.stdout)


PLAYED: dict[str, Callable[[Command, Path, LiveImage], None]] = {
    r"\.venv/bin/python -m pharo_practice .*": in_the_practice_image,
    r"uvx --from git\+\S+ pharo-mcp eval --practice .*": by_uvx,
    r"scripts/test-image [^-]\S*( --windows)?": on_a_copy_of_an_image,
    r"scripts/(?!test-image|demo)\S+.*": script,
    r"pharo-mcp --http \d+": over_http,
    r"pharo-mcp (images|eval|call)\b.*": in_a_shell,
    r"ssh \S+ \S+/pharo-mcp .*": over_ssh,
    r"PHARO_MCP_URL=\S+ .*pharo-mcp .*": through_a_tunnel,
}
"""What plays a command, by a pattern for its line."""


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@needs_posix
@pytest.mark.parametrize("command", [each for each in COMMANDS if each.line not in NOT_RUN], ids=str)
def test_each_command_runs_as_it_stands(command: Command, tmp_path: Path, practice: LiveImage) -> None:
    players = [play for pattern, play in PLAYED.items() if re.fullmatch(pattern, command.line)]
    if not players:
        pytest.fail(
            f"{command.block} shows `{command.line}`, which no test runs: "
            "add to this file what plays it to PLAYED, or why nothing does to NOT_RUN.",
            pytrace=False,
        )
    players[0](command, tmp_path, practice)


def test_each_command_that_is_not_run_is_in_a_page() -> None:
    assert not NOT_RUN.keys() - {command.line for command in COMMANDS}


def test_each_line_of_a_console_block_is_a_command_or_its_output() -> None:
    assert not [command.block for command in COMMANDS if not command.block.text.startswith("$ ")]


def test_the_extras_in_the_pages_are_those_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"].keys()
    page = (ROOT / "docs" / "install.md").read_text("utf-8").partition("\n### Extras\n")[2]
    assert set(re.findall(r"^\| `(\w+)` \|", page.partition("\n#")[0], re.M)) == extras
    texts = [path.read_text("utf-8") for path in PAGES]
    named = {
        name
        for text in texts
        for extras_ in re.findall(r"pharo-mcp\[([\w,]+)\]", text)
        for name in extras_.split(",")
    }
    assert named
    assert named <= extras


def test_a_missing_library_is_installed_from_where_the_pages_install() -> None:
    shown = [command.line for command in COMMANDS if command.line.startswith("uv tool install 'pharo-mcp[")]
    assert f"uv tool install '{with_extra('http')}'" in shown


def inline(pattern: str) -> list[str]:
    """The code spans of all pages that match a pattern."""
    spans = (
        span for path in PAGES for span in re.findall(r"(?<!`)`([^`\n]+)`(?!`)", path.read_text("utf-8"))
    )
    return sorted({span for span in spans if re.fullmatch(pattern, span)})


@pytest.mark.parametrize("span", inline(r"(?:\S+=\S* )*(?:\.venv/bin/)?pharo-mcp(?: .*)?"))
def test_a_command_in_a_sentence_has_options_that_exist(span: str) -> None:
    words = shlex.split(span.replace("(or ", ""))
    words = words[[Path(word).name for word in words].index("pharo-mcp") + 1 :]
    options = {"--version", "--help", *(option.flag for option in SERVING)}
    if words and not words[0].startswith("-"):
        [command] = [each for each in COMMANDS_OF_PHARO_MCP if each.name == words[0]]
        options = {option.flag for option in command.options}
    assert not [word for word in words if word.startswith("--") and word not in options]


@pytest.mark.parametrize("span", inline(r"PharoMcp [a-z].*"))
def test_a_message_to_the_companion_in_a_sentence_is_understood(span: str) -> None:
    sources = (path.read_text("utf-8") for path in (ROOT / "pharo").glob("*/PharoMcp.*.st"))
    defined = re.compile(rf"^PharoMcp class >> {re.escape(span.split()[1])}", re.M)
    assert any(map(defined.search, sources))
