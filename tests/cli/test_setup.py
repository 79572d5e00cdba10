"""`pharo-mcp setup`: what it does to a client's configuration, and what it never does."""

import json
import os
import stat
from pathlib import Path

import pytest

from cli.running import run

FILES = {
    "claude-desktop": ".config/Claude/claude_desktop_config.json",
    "claude-code": ".claude.json",
    "cursor": ".cursor/mcp.json",
    "vscode": ".config/Code/User/mcp.json",
}
NO_PATH = {"PATH": ""}  # so that no client's own command is found


def configuration(home: Path, client: str, text: str | None = None) -> Path:
    """A client's file, with its folder; not there itself without a text."""
    file = home / FILES[client]
    file.parent.mkdir(parents=True, exist_ok=True)
    if text is not None:
        file.write_text(text, "utf-8")
    return file


@pytest.mark.parametrize("client", FILES)
def test_each_client_gets_an_entry_with_an_absolute_command(home: Path, client: str) -> None:
    file = configuration(home, client, "{}")
    told = run("setup", client, "--image", "Zoo", "--read-only", home=home, **NO_PATH)
    assert (told.returncode, told.stderr) == (0, "")
    key = "servers" if client == "vscode" else "mcpServers"
    entry = json.loads(file.read_text("utf-8"))[key]["pharo"]
    assert os.path.isabs(entry["command"])
    assert entry["args"][-3:] == ["--image", "Zoo", "--read-only"]
    assert str(file) in told.stdout


def test_paths_are_absolute_for_a_client_starts_programs_in_a_folder_of_its_own(home: Path) -> None:
    file = configuration(home, "cursor")
    launch = ("--launch", "images/Zoo.image", "--vm", "vms/pharo")
    assert run("setup", "cursor", *launch, home=home).returncode == 0
    args = json.loads(file.read_text("utf-8"))["mcpServers"]["pharo"]["args"]
    assert args[-4:] == [
        "--launch",
        os.path.abspath("images/Zoo.image"),
        "--vm",
        os.path.abspath("vms/pharo"),
    ]


def test_names_stay_names(home: Path) -> None:
    told = run("config", "cursor", "--launch", "Zoo", "--vm", "pharo", home=home)
    assert json.loads(told.stdout)["mcpServers"]["pharo"]["args"][-4:] == ["--launch", "Zoo", "--vm", "pharo"]


def test_what_else_is_in_the_file_stays_in_its_order(home: Path) -> None:
    before = {"theme": "dark", "mcpServers": {"weather": {"command": "wéather"}}, "last": [1, {"x": None}]}
    file = configuration(home, "cursor", json.dumps(before, indent="\t", ensure_ascii=False))
    assert run("setup", "cursor", home=home).returncode == 0
    text = file.read_text("utf-8")
    after = json.loads(text)
    assert list(after) == ["theme", "mcpServers", "last"]
    assert list(after["mcpServers"]) == ["weather", "pharo"]
    assert '\t"theme"' in text
    assert "wéather" in text


def test_a_copy_of_the_old_file_is_kept(home: Path) -> None:
    file = configuration(home, "cursor", '{"mcpServers": {}}')
    told = run("setup", "cursor", home=home)
    copies = [each for each in file.parent.iterdir() if each != file]
    assert [copy.read_text("utf-8") for copy in copies] == ['{"mcpServers": {}}']
    assert str(copies[0]) in told.stdout


def test_a_second_time_changes_nothing(home: Path) -> None:
    file = configuration(home, "cursor", "{}")
    run("setup", "cursor", home=home)
    once = file.read_text("utf-8"), sorted(os.listdir(file.parent))
    told = run("setup", "cursor", home=home)
    assert "nothing to change" in told.stdout
    assert (file.read_text("utf-8"), sorted(os.listdir(file.parent))) == once


def test_remove_leaves_what_was_there_before(home: Path) -> None:
    before = {"mcpServers": {"weather": {"command": "weather"}}}
    file = configuration(home, "cursor", json.dumps(before))
    run("setup", "cursor", home=home)
    assert run("setup", "cursor", "--remove", home=home).returncode == 0
    assert json.loads(file.read_text("utf-8")) == before


def test_to_remove_what_is_not_there_changes_nothing(home: Path) -> None:
    configuration(home, "cursor", "{}")
    told = run("setup", "cursor", "--remove", home=home)
    assert (told.returncode, told.stderr) == (0, "")
    assert "nothing to change" in told.stdout


def test_a_dry_run_shows_the_change_and_writes_nothing(home: Path) -> None:
    file = configuration(home, "cursor", "{}")
    told = run("setup", "cursor", "--dry-run", home=home)
    assert '+    "pharo": {' in told.stdout
    assert "Nothing was changed" in told.stdout
    assert file.read_text("utf-8") == "{}"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"mcpServers": {', "is not valid JSON"),
        ("// mine\n{}", "is not valid JSON"),
        ("[]", "does not hold a JSON object"),
        ('{"mcpServers": []}', "mcpServers is not a JSON object"),
    ],
)
def test_a_file_that_is_not_understood_is_left_alone(home: Path, text: str, why: str) -> None:
    file = configuration(home, "cursor", text)
    told = run("setup", "cursor", home=home)
    assert told.returncode == 1
    assert why in told.stderr
    assert "Nothing was changed" in told.stderr
    assert "Mend that file" in told.stderr
    assert "pharo-mcp config cursor" in told.stderr
    assert (file.read_text("utf-8"), os.listdir(file.parent)) == (text, [file.name])


def test_a_file_that_cannot_be_written_is_told(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "mcp.json"
    told = run("setup", "cursor", "--file", str(file), home=home)
    assert told.returncode == 1
    assert f"{file} cannot be written: No such file or directory" in told.stderr
    assert "Nothing was changed" in told.stderr
    assert os.listdir(tmp_path) == []


def test_a_client_that_is_not_there_is_told_with_where_it_was_looked_for(home: Path) -> None:
    told = run("setup", "claude-desktop", home=home)
    assert told.returncode == 1
    assert "Claude Desktop was not found" in told.stderr
    assert str(home / FILES["claude-desktop"]) in told.stderr


def test_a_home_folder_alone_is_no_client(home: Path) -> None:
    told = run("setup", "claude-code", home=home, **NO_PATH)
    assert told.returncode == 1
    assert "Claude Code was not found" in told.stderr
    assert os.listdir(home) == []


def test_a_file_can_be_given(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "my config.json"
    assert run("setup", "claude-desktop", "--file", str(file), home=home).returncode == 0
    assert "pharo" in json.loads(file.read_text("utf-8"))["mcpServers"]


@pytest.mark.skipif(os.name != "posix", reason="needs links and modes")
def test_a_link_stays_one_and_a_mode_is_kept(home: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}", "utf-8")
    real.chmod(0o600)
    file = configuration(home, "cursor")
    file.symlink_to(real)
    run("setup", "cursor", home=home)
    assert file.is_symlink()
    assert "pharo" in real.read_text("utf-8")
    assert stat.S_IMODE(real.stat().st_mode) == 0o600


@pytest.mark.skipif(os.name != "posix", reason="plays a program by a shell script")
@pytest.mark.parametrize(
    ("client", "program", "words"),
    [("claude-code", "claude", "mcp add --scope user pharo -- "), ("vscode", "code", "--add-mcp ")],
)
def test_a_client_with_a_command_of_its_own_is_asked(
    home: Path, tmp_path: Path, client: str, program: str, words: str
) -> None:
    played = tmp_path / program
    played.write_text(f'#!/bin/sh\necho "$@" > "{tmp_path}/asked"\n', "utf-8")
    played.chmod(0o700)
    told = run("setup", client, home=home, PATH=f"{tmp_path}:/bin:/usr/bin")
    assert told.returncode == 0
    assert (tmp_path / "asked").read_text("utf-8").startswith(words)


@pytest.mark.skipif(os.name != "posix", reason="plays a program by a shell script")
def test_what_a_clients_own_command_refuses_is_told(home: Path, tmp_path: Path) -> None:
    played = tmp_path / "claude"
    played.write_text("#!/bin/sh\necho 'pharo already exists' >&2\nexit 1\n", "utf-8")
    played.chmod(0o700)
    told = run("setup", "claude-code", home=home, PATH=f"{tmp_path}:/bin:/usr/bin")
    assert told.returncode == 1
    assert "pharo already exists" in told.stderr
    assert "--remove" in told.stderr
