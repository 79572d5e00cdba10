"""Clients' files are written atomically."""

import os
from pathlib import Path

import pytest

from pharo_mcp.cli.clients import ClientFile, UnusableFile

ENTRY = {"command": "/bin/pharo-mcp", "args": []}


def refuse(*_: object, **__: object) -> None:
    raise PermissionError(13, "Permission denied")


@pytest.mark.parametrize("step", ["tempfile.mkstemp", "os.replace", "shutil.copy2"])
def test_a_failed_write_leaves_the_file_unchanged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    file = tmp_path / "mcp.json"
    file.write_text("{}", "utf-8")
    changed = ClientFile.read(str(file)).with_server("mcpServers", "pharo", ENTRY)
    with monkeypatch.context() as patches:
        patches.setattr(step, refuse)
        with pytest.raises(PermissionError):
            changed.write()
    assert file.read_text("utf-8") == "{}"
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


def test_an_unreadable_file_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(UnusableFile, match=r"cannot be read: .*Permission denied"):
        ClientFile.read(str(tmp_path / "mcp.json"))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_windows_line_ends_and_byte_order_marks_are_accepted(tmp_path: Path, newline: str) -> None:
    file = tmp_path / "mcp.json"
    file.write_bytes(b"\xef\xbb\xbf" + f'{{{newline}    "theme": "dark"{newline}}}'.encode())
    ClientFile.read(str(file)).with_server("mcpServers", "pharo", ENTRY).write()
    written = file.read_bytes()
    assert written.startswith(b"{" + newline.encode() + b'    "theme"')
    assert written.count(b"\n") == written.count(newline.encode())


def test_an_empty_file_is_an_empty_object(tmp_path: Path) -> None:
    file = tmp_path / "mcp.json"
    file.write_text(" \n", "utf-8")
    assert ClientFile.read(str(file)).content() == {}
