"""`pharo-mcp setup` changes a client's configuration and keeps everything else in it."""

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
    """The path of a client's file, in an existing folder; the file exists only with a text."""
    file = home / FILES[client]
    file.parent.mkdir(parents=True, exist_ok=True)
    if text is not None:
        file.write_text(text, "utf-8")
    return file


@pytest.mark.parametrize("client", FILES)
def test_each_client_gets_an_entry_with_an_absolute_command(home: Path, client: str) -> None:
    file = configuration(home, client, "{}")
    result = run("setup", client, "--image", "Zoo", "--read-only", home=home, **NO_PATH)
    assert (result.returncode, result.stderr) == (0, "")
    key = "servers" if client == "vscode" else "mcpServers"
    entry = json.loads(file.read_text("utf-8"))[key]["pharo"]
    assert os.path.isabs(entry["command"])
    assert entry["args"][-3:] == ["--image", "Zoo", "--read-only"]
    assert str(file) in result.stdout


def test_paths_in_an_entry_are_absolute(home: Path) -> None:
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


def test_names_in_an_entry_stay_as_they_are(home: Path) -> None:
    result = run("config", "cursor", "--launch", "Zoo", "--vm", "pharo", home=home)
    assert json.loads(result.stdout)["mcpServers"]["pharo"]["args"][-4:] == [
        "--launch",
        "Zoo",
        "--vm",
        "pharo",
    ]


def test_other_content_of_the_file_keeps_its_order(home: Path) -> None:
    before = {"theme": "dark", "mcpServers": {"weather": {"command": "wéather"}}, "last": [1, {"x": None}]}
    file = configuration(home, "cursor", json.dumps(before, indent="\t", ensure_ascii=False))
    assert run("setup", "cursor", home=home).returncode == 0
    text = file.read_text("utf-8")
    after = json.loads(text)
    assert list(after) == ["theme", "mcpServers", "last"]
    assert list(after["mcpServers"]) == ["weather", "pharo"]
    assert '\t"theme"' in text
    assert "wéather" in text


def test_the_old_file_is_copied(home: Path) -> None:
    file = configuration(home, "cursor", '{"mcpServers": {}}')
    result = run("setup", "cursor", home=home)
    copies = [each for each in file.parent.iterdir() if each != file]
    assert [copy.read_text("utf-8") for copy in copies] == ['{"mcpServers": {}}']
    assert str(copies[0]) in result.stdout


def test_a_second_setup_changes_nothing(home: Path) -> None:
    file = configuration(home, "cursor", "{}")
    run("setup", "cursor", home=home)
    once = file.read_text("utf-8"), sorted(os.listdir(file.parent))
    result = run("setup", "cursor", home=home)
    assert "nothing to change" in result.stdout
    assert (file.read_text("utf-8"), sorted(os.listdir(file.parent))) == once


def test_remove_restores_the_previous_content(home: Path) -> None:
    before = {"mcpServers": {"weather": {"command": "weather"}}}
    file = configuration(home, "cursor", json.dumps(before))
    run("setup", "cursor", home=home)
    assert run("setup", "cursor", "--remove", home=home).returncode == 0
    assert json.loads(file.read_text("utf-8")) == before


def test_removing_a_missing_entry_changes_nothing(home: Path) -> None:
    configuration(home, "cursor", "{}")
    result = run("setup", "cursor", "--remove", home=home)
    assert (result.returncode, result.stderr) == (0, "")
    assert "nothing to change" in result.stdout


def test_a_dry_run_shows_the_change_and_writes_nothing(home: Path) -> None:
    file = configuration(home, "cursor", "{}")
    result = run("setup", "cursor", "--dry-run", home=home)
    assert '+    "pharo": {' in result.stdout
    assert "Nothing was changed" in result.stdout
    assert file.read_text("utf-8") == "{}"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"mcpServers": {', "is not valid JSON"),
        ("// mine\n{}", "is not valid JSON"),
        ("[]", "does not contain a JSON object"),
        ('{"mcpServers": []}', "mcpServers is not a JSON object"),
    ],
)
def test_an_unusable_file_is_not_changed(home: Path, text: str, message: str) -> None:
    file = configuration(home, "cursor", text)
    result = run("setup", "cursor", home=home)
    assert result.returncode == 1
    assert message in result.stderr
    assert "Nothing was changed" in result.stderr
    assert "Fix that file" in result.stderr
    assert "pharo-mcp config cursor" in result.stderr
    assert (file.read_text("utf-8"), os.listdir(file.parent)) == (text, [file.name])


def test_a_file_that_cannot_be_written_is_reported(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "nowhere" / "mcp.json"
    result = run("setup", "cursor", "--file", str(file), home=home)
    assert result.returncode == 1
    assert f"{file} cannot be written: No such file or directory" in result.stderr
    assert "Nothing was changed" in result.stderr
    assert os.listdir(tmp_path) == []


def test_a_missing_client_is_reported_with_the_folders_searched(home: Path) -> None:
    result = run("setup", "claude-desktop", home=home)
    assert result.returncode == 1
    assert "Claude Desktop was not found" in result.stderr
    assert str(home / FILES["claude-desktop"]) in result.stderr


def test_a_home_folder_alone_is_not_a_client(home: Path) -> None:
    result = run("setup", "claude-code", home=home, **NO_PATH)
    assert result.returncode == 1
    assert "Claude Code was not found" in result.stderr
    assert os.listdir(home) == []


def test_the_file_can_be_chosen(home: Path, tmp_path: Path) -> None:
    file = tmp_path / "my config.json"
    assert run("setup", "claude-desktop", "--file", str(file), home=home).returncode == 0
    assert "pharo" in json.loads(file.read_text("utf-8"))["mcpServers"]


@pytest.mark.skipif(os.name != "posix", reason="needs links and modes")
def test_a_symbolic_link_and_a_mode_are_kept(home: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}", "utf-8")
    real.chmod(0o600)
    file = configuration(home, "cursor")
    file.symlink_to(real)
    run("setup", "cursor", home=home)
    assert file.is_symlink()
    assert "pharo" in real.read_text("utf-8")
    assert stat.S_IMODE(real.stat().st_mode) == 0o600


@pytest.mark.skipif(os.name != "posix", reason="the fake program is a shell script")
@pytest.mark.parametrize(
    ("client", "program", "arguments"),
    [("claude-code", "claude", "mcp add --scope user pharo -- "), ("vscode", "code", "--add-mcp ")],
)
def test_a_client_with_its_own_command_is_changed_by_it(
    home: Path, tmp_path: Path, client: str, program: str, arguments: str
) -> None:
    fake = tmp_path / program
    fake.write_text(f'#!/bin/sh\necho "$@" > "{tmp_path}/arguments"\n', "utf-8")
    fake.chmod(0o700)
    result = run("setup", client, home=home, PATH=f"{tmp_path}:/bin:/usr/bin")
    assert result.returncode == 0
    assert (tmp_path / "arguments").read_text("utf-8").startswith(arguments)


@pytest.mark.skipif(os.name != "posix", reason="the fake program is a shell script")
def test_a_failure_of_a_clients_own_command_is_reported(home: Path, tmp_path: Path) -> None:
    fake = tmp_path / "claude"
    fake.write_text("#!/bin/sh\necho 'pharo already exists' >&2\nexit 1\n", "utf-8")
    fake.chmod(0o700)
    result = run("setup", "claude-code", home=home, PATH=f"{tmp_path}:/bin:/usr/bin")
    assert result.returncode == 1
    assert "pharo already exists" in result.stderr
    assert "--remove" in result.stderr
