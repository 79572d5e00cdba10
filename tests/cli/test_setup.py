"""`pharo-mcp setup` changes a client's configuration and keeps everything else in it."""

import json
import os
import stat
import tomllib
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from cli.running import run

FILES = {
    "claude-desktop": ".config/Claude/claude_desktop_config.json",
    "claude-code": ".claude.json",
    "cursor": ".cursor/mcp.json",
    "vscode": ".config/Code/User/mcp.json",
    "codex": ".codex/config.toml",
    "gemini": ".gemini/settings.json",
    "opencode": ".config/opencode/opencode.json",
    "windsurf": ".codeium/windsurf/mcp_config.json",
    "zed": ".config/zed/settings.json",
}
KEYS = {"vscode": "servers", "codex": "mcp_servers", "opencode": "mcp", "zed": "context_servers"}
NO_PATH = {"PATH": ""}  # so that no client's own command is found


def configuration(home: Path, client: str, text: str | None = None) -> Path:
    """The path of a client's file, in an existing folder; the file exists only with a text."""
    file = home / FILES[client]
    file.parent.mkdir(parents=True, exist_ok=True)
    if text is not None:
        file.write_text(text, "utf-8")
    return file


def entry_in(file: Path, client: str = "cursor", name: str = "pharo") -> dict[str, Any]:
    """The entry in a client's file."""
    text = file.read_text("utf-8")
    content = tomllib.loads(text) if client == "codex" else json.loads(text)
    entry: dict[str, Any] = content[KEYS.get(client, "mcpServers")][name]
    if client == "opencode":
        command, *args = entry["command"]
        entry |= {"command": command, "args": args}
    return entry


@pytest.mark.parametrize("client", FILES)
def test_each_client_gets_an_entry_with_an_absolute_command(home: Path, client: str) -> None:
    file = configuration(home, client, "" if client == "codex" else "{}")
    result = run("setup", client, "--tools", "core", "--read-only", home=home, **NO_PATH)
    assert (result.returncode, result.stderr) == (0, "")
    entry = entry_in(file, client)
    assert os.path.isabs(entry["command"])
    assert entry["args"][-3:] == ["--tools", "core", "--read-only"]
    assert str(file) in result.stdout


def test_the_file_of_a_live_image_is_absolute_in_an_entry(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Zoo.image").touch()
    for name, written in (("Zoo.image", str(tmp_path / "Zoo.image")), ("Ark.image", "Ark.image")):
        printed = json.loads(run("config", "cursor", "--image", name, home=home).stdout)
        assert printed["mcpServers"]["pharo"]["args"][-2:] == ["--image", written]


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


def test_the_old_file_is_copied_to_a_backup_that_is_named_and_never_overwritten(home: Path) -> None:
    file = configuration(home, "cursor", '{\n  "mcpServers": {}\n}\n')
    backup = f"{file}.before-pharo-mcp"
    texts = []
    for arguments, copy in (
        ((), backup),
        (("--read-only",), f"{backup}-2"),
        (("--remove",), f"{backup}-3"),
        ((), backup),  # the file is as it was before the first change
    ):
        texts.append(file.read_text("utf-8"))
        result = run("setup", "cursor", *arguments, home=home)
        assert f"the previous file was copied to {copy}." in result.stdout
    copies = [Path(backup), Path(f"{backup}-2"), Path(f"{backup}-3")]
    assert sorted(file.parent.iterdir()) == [file, *copies]
    assert [copy.read_text("utf-8") for copy in copies] == texts[:3]


def test_what_setup_says_after_a_removal_is_about_that(home: Path) -> None:
    file = configuration(home, "cursor", "{}")
    run("setup", "cursor", "--name", "zoo", home=home)
    nothing = run("setup", "cursor", "--remove", home=home)
    assert nothing.stdout == f"Cursor: nothing to change in {file}. Remove zoo with --name.\n"
    removed = run("setup", "cursor", "--remove", "--name", "zoo", home=home)
    assert removed.stdout.endswith("\nCursor reloads the file.\n")
    missing = run("setup", "windsurf", "--remove", home=home)
    assert missing.returncode == 1
    assert missing.stderr.endswith("\nNothing was changed.\nYou can remove the entry by hand.\n")


@pytest.mark.parametrize("client", FILES)
def test_removing_never_speaks_of_a_server_to_start_or_an_entry_to_paste(home: Path, client: str) -> None:
    configuration(home, client, "" if client == "codex" else "{}")
    added = run("setup", client, home=home, **NO_PATH).stdout.splitlines()[-1]
    removed = run("setup", client, "--remove", home=home, **NO_PATH).stdout.splitlines()[-1]
    assert added.startswith(f"{removed} ")
    configuration(home, client, "[")
    broken = run("setup", client, "--remove", home=home, **NO_PATH)
    assert broken.returncode == 1
    assert broken.stdout == ""
    assert "You can remove the entry by hand." in broken.stderr


@pytest.mark.parametrize("client", FILES)
def test_a_second_setup_and_a_second_removal_change_nothing(home: Path, client: str) -> None:
    file = configuration(home, client, "" if client == "codex" else "{}")
    for arguments in ((), ("--remove",)):
        run("setup", client, *arguments, home=home, **NO_PATH)
        once = file.read_text("utf-8"), sorted(os.listdir(file.parent))
        result = run("setup", client, *arguments, home=home, **NO_PATH)
        assert (result.returncode, result.stderr) == (0, "")
        assert f"nothing to change in {file}" in result.stdout
        assert (file.read_text("utf-8"), sorted(os.listdir(file.parent))) == once


def test_an_entry_that_keeps_its_practice_image_says_so(home: Path) -> None:
    configuration(home, "cursor", "{}")
    assert "as before" not in run("setup", "cursor", "--practice", home=home).stdout
    for options in ((), ("--read-only",)):
        assert (
            "The entry starts a practice image, as before"
            in run("setup", "cursor", *options, home=home).stdout
        )


OWN = {
    "mcpServers": {
        "weather": {"command": "weather", "args": []},
        "pharo": {
            "command": "/old/bin/pharo-mcp",
            "env": {"PHARO_MCP_TIMEOUT": "60"},
            "args": ["--image", "Zoo", "--timeout=60"],
            "autoApprove": ["search"],
        },
    },
    "theme": "dark",
}


def test_only_the_command_and_the_given_options_of_an_entry_change(home: Path) -> None:
    file = configuration(home, "cursor", json.dumps(OWN))
    assert run("setup", "cursor", "--image", "Farm", "--read-only", home=home).returncode == 0
    alone = json.loads(run("config", "cursor", home=home).stdout)["mcpServers"]["pharo"]
    expected = deepcopy(OWN)
    expected["mcpServers"]["pharo"] |= {  # type: ignore[index]
        "command": alone["command"],
        "args": [*alone["args"], "--image", "Farm", "--timeout", "60", "--read-only"],
    }
    assert json.loads(file.read_text("utf-8")) == expected


@pytest.mark.parametrize(
    "launcher",
    [
        ["pharo-mcp"],
        ["C:\\\\Tools\\\\pharo-mcp.exe"],
        ["python3.11", "-m", "pharo_mcp"],
        ["uvx", "pharo-mcp"],
        ["uvx", "--from", "pharo-mcp[http]==0.1", "pharo-mcp"],
        ["uv", "run", "--directory", "/src/pharo-mcp", "pharo-mcp"],
    ],
)
def test_every_way_to_start_pharo_mcp_here_is_recognised(home: Path, launcher: list[str]) -> None:
    command, *args = launcher
    entry = {"command": command, "args": [*args, "--launch", "pharo-mcp"]}
    file = configuration(home, "cursor", json.dumps({"mcpServers": {"pharo": entry}}))
    assert run("setup", "cursor", home=home).returncode == 0
    alone = json.loads(run("config", "cursor", home=home).stdout)["mcpServers"]["pharo"]
    assert entry_in(file) == {**alone, "args": [*alone["args"], "--launch", "pharo-mcp"]}


@pytest.mark.parametrize(
    "entry",
    [
        {"command": "npx", "args": ["other-pharo"]},
        {"command": "ssh", "args": ["build-machine", "/home/me/.local/bin/pharo-mcp"]},
        {"url": "http://127.0.0.1:50123/mcp"},
        {"command": "pharo-mcp", "args": "--read-only"},
        "pharo-mcp",
    ],
    ids=str,
)
@pytest.mark.parametrize("arguments", [(), ("--remove",)], ids=["add", "remove"])
def test_somebody_elses_entry_is_refused(home: Path, entry: object, arguments: tuple[str, ...]) -> None:
    text = json.dumps({"mcpServers": {"pharo": entry}})
    file = configuration(home, "cursor", text)
    result = run("setup", "cursor", *arguments, home=home)
    assert result.returncode == 1
    assert f"in {file}, pharo is another server" in result.stderr
    assert "--name" in result.stderr
    assert (file.read_text("utf-8"), os.listdir(file.parent)) == (text, [file.name])
    assert run("setup", "cursor", "--name", "live", home=home).returncode == 0
    assert json.loads(file.read_text("utf-8"))["mcpServers"].keys() == {"pharo", "live"}


def test_options_that_exclude_those_of_an_entry_are_refused(home: Path) -> None:
    text = json.dumps(OWN)
    file = configuration(home, "cursor", text)
    result = run("setup", "cursor", "--practice", home=home)
    assert result.returncode == 1
    assert "exclude each other" in result.stderr
    assert "pharo-mcp setup cursor --remove" in result.stderr
    assert file.read_text("utf-8") == text


def test_a_file_with_comments_is_left_alone_and_the_entry_to_paste_printed(home: Path) -> None:
    text = "// my servers\n{}"
    file = configuration(home, "vscode", text)
    result = run("setup", "vscode", "--read-only", home=home, **NO_PATH)
    assert result.returncode == 1
    assert f"{file} is not valid JSON (which has no comments): " in result.stderr
    assert f"\nNothing was changed.\nAdd it to {file}. " in result.stderr
    assert json.loads(result.stdout)["servers"]["pharo"]["args"][-1] == "--read-only"
    assert (file.read_text("utf-8"), os.listdir(file.parent)) == (text, [file.name])


@pytest.mark.skipif(os.name != "posix", reason="the fake program is a shell script")
def test_a_file_with_comments_is_changed_by_the_clients_own_command(home: Path, tmp_path: Path) -> None:
    configuration(home, "vscode", "// my servers\n{}")
    fake = tmp_path / "code"
    fake.write_text(f'#!/bin/sh\necho "$@" > "{tmp_path}/arguments"\n', "utf-8")
    fake.chmod(0o700)
    result = run("setup", "vscode", home=home, PATH=f"{tmp_path}:/bin:/usr/bin")
    assert (result.returncode, result.stderr) == (0, "")
    assert (tmp_path / "arguments").read_text("utf-8").startswith("--add-mcp ")


CODEX = """model = "x" # mine

[mcp_servers.pharo] # ours
command = "/old/bin/pharo-mcp"
args = ["--tools", "core"]
startup_timeout_sec = 20

[mcp_servers.pharo.env]
PHARO_MCP_TIMEOUT = "60"
"""


def test_codex_keeps_everything_else_in_its_table(home: Path) -> None:
    file = configuration(home, "codex", CODEX)
    assert run("setup", "codex", "--read-only", home=home).returncode == 0
    entry = entry_in(file, "codex")
    assert entry["args"][-3:] == ["--tools", "core", "--read-only"]
    unchanged = [line for line in CODEX.splitlines() if not line.startswith(("command", "args"))]
    text = file.read_text("utf-8")
    assert [line for line in text.splitlines() if not line.startswith(("command", "args"))] == unchanged
    assert run("setup", "codex", "--remove", home=home).returncode == 0
    assert file.read_text("utf-8").rstrip() == 'model = "x" # mine'


@pytest.mark.parametrize(
    "text",
    [
        'mcp_servers = { other = { command = "x" } }\n',
        'mcp_servers.pharo.command = "/old/bin/pharo-mcp"\n',
        '[mcp_servers]\npharo = { command = "/old/bin/pharo-mcp" }\n',
        '# mine\n[tui]\nx = [\n  1, # one\n]\n\n[[profiles]]\nname = "[mcp_servers.pharo]"\n',
        'model = "x"',
        "",
    ],
)
def test_every_form_of_toml_keeps_what_it_had(home: Path, text: str) -> None:
    file = configuration(home, "codex", text)
    before = tomllib.loads(text)
    others = {**before, "mcp_servers": {**before.get("mcp_servers", {}), "pharo": None}}
    assert run("setup", "codex", home=home).returncode == 0
    after = tomllib.loads(file.read_text("utf-8"))
    assert os.path.isabs(after["mcp_servers"]["pharo"]["command"])
    assert {**after, "mcp_servers": {**after["mcp_servers"], "pharo": None}} == others
    assert run("setup", "codex", "--remove", home=home).returncode == 0
    left = tomllib.loads(file.read_text("utf-8"))
    assert "pharo" not in left.pop("mcp_servers", {})
    assert left == {key: value for key, value in before.items() if key != "mcp_servers"}


def test_toml_in_which_the_server_is_no_table_is_refused(home: Path) -> None:
    text = 'mcp_servers = "none"\n'
    file = configuration(home, "codex", text)
    assert "mcp_servers is not an object" in run("setup", "codex", home=home).stderr
    assert file.read_text("utf-8") == text


@pytest.mark.parametrize("name", ["my pharo", 'a "b" c', "phäro.1", "back\\slash"])
def test_odd_names_are_quoted(home: Path, name: str) -> None:
    for client in ("cursor", "codex"):
        file = configuration(home, client)
        assert run("setup", client, "--name", name, home=home).returncode == 0
        assert os.path.isabs(entry_in(file, client, name)["command"])
        printed = run("config", client, "--name", name, home=home).stdout
        assert printed.strip() == file.read_text("utf-8").strip()


@pytest.mark.skipif(os.name == "nt", reason="words of Windows' shells are Unicode")
def test_a_name_that_is_not_unicode_is_refused(home: Path) -> None:
    result = run("setup", "cursor", "--name", "z\udcff", home=home)
    assert result.returncode == 2
    assert "is not valid Unicode" in result.stderr


@pytest.mark.parametrize("client", FILES)
def test_config_says_which_file_even_before_the_client_has_one(home: Path, client: str) -> None:
    result = run("config", client, home=home)
    assert f"Add it to {home / FILES[client]}. " in result.stderr
    assert os.listdir(home) == []


@pytest.mark.parametrize(
    ("client", "variable", "name"),
    [("claude-code", "CLAUDE_CONFIG_DIR", ".claude.json"), ("codex", "CODEX_HOME", "config.toml")],
)
def test_a_client_whose_folder_is_elsewhere_is_found_there(
    home: Path, client: str, variable: str, name: str
) -> None:
    folder = home / "elsewhere"
    folder.mkdir()
    result = run("setup", client, home=home, **NO_PATH, **{variable: str(folder)})
    assert (result.returncode, result.stderr) == (0, "")
    assert os.path.isabs(entry_in(folder / name, client)["command"])


def test_opencode_keeps_command_and_arguments_in_one_list(home: Path) -> None:
    old = {"type": "local", "command": ["/old/bin/pharo-mcp", "--tools", "core"], "enabled": False}
    file = configuration(home, "opencode", json.dumps({"mcp": {"pharo": old}}))
    assert run("setup", "opencode", "--read-only", home=home).returncode == 0
    entry = json.loads(file.read_text("utf-8"))["mcp"]["pharo"]
    assert entry["command"][-3:] == ["--tools", "core", "--read-only"]
    assert os.path.isabs(entry.pop("command")[0])
    assert entry == {"type": "local", "enabled": False}
    file.write_text(json.dumps({"mcp": {"pharo": {"command": ["npx", "other"]}}}), "utf-8")
    assert "pharo is another server" in run("setup", "opencode", home=home).stderr


def test_remove_restores_the_previous_content(home: Path) -> None:
    before = json.dumps({"mcpServers": {"weather": {"command": "weather"}}}, indent=2) + "\n"
    file = configuration(home, "cursor", before)
    run("setup", "cursor", home=home)
    assert run("setup", "cursor", "--remove", home=home).returncode == 0
    assert file.read_text("utf-8") == before


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"mcpServers": {', "is not valid JSON"),
        ("// mine\n{}", "is not valid JSON"),
        ("[]", "does not contain an object"),
        ('{"mcpServers": []}', "mcpServers is not an object"),
    ],
)
def test_an_unusable_file_is_not_changed(home: Path, text: str, message: str) -> None:
    file = configuration(home, "cursor", text)
    result = run("setup", "cursor", home=home)
    assert result.returncode == 1
    assert message in result.stderr
    assert "Nothing was changed" in result.stderr
    assert "pharo" in json.loads(result.stdout)["mcpServers"]
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
    assert f"Claude Code was not found: there is no file\n  {home / FILES['claude-code']}" in result.stderr
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


FAKE_CLAUDE = """#!/bin/sh
echo "$*" >> '{folder}/commands'
cp '{folder}/after' "$HOME/.claude.json"
"""


@pytest.mark.skipif(os.name != "posix", reason="the fake program is a shell script")
def test_claude_code_is_asked_only_for_what_changes(home: Path, tmp_path: Path) -> None:
    fake = tmp_path / "claude"
    fake.write_text(FAKE_CLAUDE.format(folder=tmp_path), "utf-8")
    fake.chmod(0o700)
    printed = json.loads(run("config", "claude-code", home=home).stdout)
    printed["mcpServers"]["pharo"]["env"] = {}
    path = f"{tmp_path}:/bin:/usr/bin"
    for after, arguments in ((printed, ()), ({"mcpServers": {}}, ("--remove",))):
        (tmp_path / "after").write_text(json.dumps(after), "utf-8")
        first = run("setup", "claude-code", *arguments, home=home, PATH=path)
        second = run("setup", "claude-code", *arguments, home=home, PATH=path)
        assert (first.returncode, second.returncode) == (0, 0)
        assert "Done." in first.stdout
        assert "nothing to change" in second.stdout
    added, removed = (tmp_path / "commands").read_text("utf-8").splitlines()
    assert added.startswith("mcp add --scope user pharo -- ")
    assert removed == "mcp remove --scope user pharo"


@pytest.mark.skipif(os.name != "posix", reason="the fake program is a shell script")
@pytest.mark.parametrize("client", ["claude-code", "vscode"])
def test_an_entry_is_changed_in_the_file_because_no_command_can(
    home: Path, tmp_path: Path, client: str
) -> None:
    for program in ("claude", "code"):
        (tmp_path / program).write_text("#!/bin/sh\nexit 1\n", "utf-8")
        (tmp_path / program).chmod(0o700)
    server = {"command": "/old/bin/pharo-mcp", "env": {"A": "1"}}
    file = configuration(home, client, json.dumps({KEYS.get(client, "mcpServers"): {"pharo": server}}))
    result = run("setup", client, "--read-only", home=home, PATH=f"{tmp_path}:/bin:/usr/bin")
    assert (result.returncode, result.stderr) == (0, "")
    assert entry_in(file, client)["env"] == {"A": "1"}
    assert entry_in(file, client)["args"][-1] == "--read-only"


@pytest.mark.skipif(os.name != "posix", reason="the fake program is a shell script")
def test_a_failure_of_a_clients_own_command_is_reported(home: Path, tmp_path: Path) -> None:
    fake = tmp_path / "claude"
    fake.write_text("#!/bin/sh\necho 'pharo already exists' >&2\nexit 1\n", "utf-8")
    fake.chmod(0o700)
    result = run("setup", "claude-code", home=home, PATH=f"{tmp_path}:/bin:/usr/bin")
    assert result.returncode == 1
    assert "pharo already exists" in result.stderr
    assert "--file" in result.stderr
