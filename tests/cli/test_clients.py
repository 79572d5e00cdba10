"""The configuration files of clients on every operating system."""

import os
import sys
from pathlib import Path

import pytest

from pharo_mcp import ADDRESS
from pharo_mcp.cli.clients import BY_NAME, CLIENTS, UV_CACHES, Client, Entry, own_entry
from pharo_mcp.cli.commands import CLIENT
from pharo_mcp.cli.installed import Host


@pytest.mark.parametrize(
    ("system", "client", "folder"),
    [
        ("macos", "claude-desktop", "Library/Application Support/Claude"),
        ("windows", "claude-desktop", "AppData/Roaming/Claude"),
        ("windows", "claude-desktop", "AppData/Local/Packages/Claude_x1/LocalCache/Roaming/Claude"),
        ("windows", "claude-desktop", "AppData/Local/Claude-Data/claude_x1"),
        ("linux", "claude-desktop", ".config/Claude"),
        ("macos", "vscode", "Library/Application Support/Code/User"),
        ("windows", "vscode", "AppData/Roaming/Code/User"),
        ("linux", "vscode", ".config/Code/User"),
        ("windows", "cursor", ".cursor"),
        ("windows", "opencode", ".config/opencode"),
        ("windows", "zed", "AppData/Roaming/Zed"),
        ("macos", "zed", ".config/zed"),
        ("linux", "zed", ".config/zed"),
    ],
)
def test_a_client_is_found_by_its_folder(tmp_path: Path, system: str, client: str, folder: str) -> None:
    host = Host(system, str(tmp_path), {})
    assert BY_NAME[client].paths(host) == []
    (tmp_path / folder).mkdir(parents=True)
    [path] = BY_NAME[client].paths(host)
    assert Path(path).parent == tmp_path / folder


def test_a_file_may_have_another_name(tmp_path: Path) -> None:
    host = Host("linux", str(tmp_path), {})
    folder = tmp_path / ".config" / "opencode"
    folder.mkdir(parents=True)
    for name in ("opencode.json", "opencode.jsonc", "opencode.json"):
        assert BY_NAME["opencode"].paths(host) == [str(folder / name)]
        (folder / ("opencode.json" if name.endswith("c") else "opencode.jsonc")).touch()


def test_every_client_can_be_named_on_the_command_line() -> None:
    assert CLIENT.choices == tuple(BY_NAME)


def test_environment_variables_in_paths_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "elsewhere" / "Claude").mkdir(parents=True)
    host = Host("windows", str(tmp_path), {"APPDATA": str(tmp_path / "elsewhere")})
    [path] = BY_NAME["claude-desktop"].paths(host)
    assert Path(path) == tmp_path / "elsewhere" / "Claude" / "claude_desktop_config.json"


def test_a_home_folder_may_have_special_characters(tmp_path: Path) -> None:
    home = tmp_path / r"Jörg \1 [x]"
    (home / ".cursor").mkdir(parents=True)
    assert Host("linux", str(home), {}).expand("~/.cursor/mcp.json") == str(home / ".cursor" / "mcp.json")
    assert BY_NAME["cursor"].paths(Host("linux", str(home), {})) == [str(home / ".cursor" / "mcp.json")]


@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_every_snippet_contains_the_command(client: object) -> None:
    entry = Entry(r"C:\Program Files\pharo-mcp.exe", ("--image", 'Zoo "2"'))
    snippet = client.snippet("pharo", entry)  # type: ignore[attr-defined]
    assert r'"C:\\Program Files\\pharo-mcp.exe"' in snippet
    assert r'"Zoo \"2\""' in snippet


@pytest.mark.parametrize("system", ["linux", "macos", "windows"])
@pytest.mark.parametrize("client", CLIENTS, ids=lambda client: client.name)
def test_a_client_without_a_folder_has_one_usual_file(tmp_path: Path, client: Client, system: str) -> None:
    [place] = client.places(Host(system, str(tmp_path / "nobody"), {}))
    assert Path(place).is_relative_to(tmp_path / "nobody")
    assert "*" not in place


@pytest.mark.parametrize("cache", UV_CACHES)
def test_an_installation_by_uvx_is_started_from_the_repository(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cache: str
) -> None:
    uvx = tmp_path / ("uvx.exe" if os.name == "nt" else "uvx")
    uvx.touch(0o700)
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "uv" / cache / "x1"))
    entry = own_entry(("--read-only",))
    assert entry == Entry(str(uvx), ("--from", ADDRESS, "pharo-mcp", "--read-only"))
    assert Entry.read(entry.members()) == entry
    assert entry.options == ("--read-only",)
