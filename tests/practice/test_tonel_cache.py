"""What is kept of a folder of packages for the next start, and when it is not used."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from pharo_practice.tonel.cache import definitions_in
from pharo_practice.tonel.reader import Definition

CLASS = "Class {{ #name : 'Kept', #superclass : 'Object', #package : 'Made' }}\n\nKept >> {body}\n"
BEFORE, AFTER = CLASS.format(body="answer [ ^ 1 ]"), CLASS.format(body="answer [ ^ 2 ]")
AN_HOUR_AGO = time.time_ns() - 3_600_000_000_000


@pytest.fixture
def caches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder for the caches of this program."""
    monkeypatch.setenv("XDG_CACHE_HOME", os.fspath(tmp_path / "caches"))
    return tmp_path / "caches" / "pharo-mcp"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with one package, which has not changed for a while."""
    return made(tmp_path / "packages")


def made(folder: Path) -> Path:
    (folder / "Made").mkdir(parents=True)
    write(folder / "Made" / "package.st", "Package { #name : 'Made' }\n")
    write(folder / "Made" / "Kept.class.st", BEFORE)
    return folder


def write(file: Path, text: str, time_ns: int = AN_HOUR_AGO) -> None:
    file.write_text(text, "utf-8")
    os.utime(file, ns=(time_ns, time_ns))


def sources(definitions: list[Definition]) -> list[str]:
    return [method.source for each in definitions for method in each.methods]


def kept_file(caches: Path) -> Path:
    [file] = caches.iterdir()
    return file


def test_a_folder_that_has_not_changed_is_not_read_again(folder: Path, caches: Path) -> None:
    first = definitions_in(folder)
    write(folder / "Made" / "Kept.class.st", AFTER)  # with the time and the size that it had
    second = definitions_in(folder)
    assert [(each.kind, each.name, each.package) for each in second] == [
        (each.kind, each.name, each.package) for each in first
    ]
    assert sources(second) == sources(first) == ["answer ^ 1"]
    assert kept_file(caches).stat().st_size > 0


def test_a_file_with_another_time_is_read(folder: Path, caches: Path) -> None:
    definitions_in(folder)
    write(folder / "Made" / "Kept.class.st", AFTER, AN_HOUR_AGO + 1000)
    assert sources(definitions_in(folder)) == ["answer ^ 2"]


def test_a_file_with_another_size_is_read(folder: Path, caches: Path) -> None:
    definitions_in(folder)
    write(folder / "Made" / "Kept.class.st", AFTER + "\n")
    assert sources(definitions_in(folder)) == ["answer ^ 2"]


def test_a_file_more_is_read(folder: Path, caches: Path) -> None:
    definitions_in(folder)
    write(folder / "Made" / "Kept.extension.st", "Extension { #name : 'Kept' }\n\nKept >> more [ ^ 3 ]\n")
    assert sources(definitions_in(folder)) == ["answer ^ 1", "more ^ 3"]


def test_what_has_just_changed_is_not_kept(folder: Path, caches: Path) -> None:
    write(folder / "Made" / "Kept.class.st", BEFORE, time.time_ns())
    assert sources(definitions_in(folder)) == ["answer ^ 1"]
    assert not caches.exists()


@pytest.mark.parametrize("damage", [b"", b"short", b"\0" * 4000, b"\xff" * 4000])
def test_a_damaged_file_is_replaced(folder: Path, caches: Path, damage: bytes) -> None:
    definitions_in(folder)
    whole = kept_file(caches).read_bytes()
    kept_file(caches).write_bytes(damage)
    assert sources(definitions_in(folder)) == ["answer ^ 1"]
    assert kept_file(caches).read_bytes() == whole


def test_each_damaged_byte_is_noticed(folder: Path, caches: Path) -> None:
    definitions_in(folder)
    file = kept_file(caches)
    whole = file.read_bytes()
    for place in range(len(whole)):
        damaged = bytearray(whole)
        damaged[place] ^= 0x55
        file.write_bytes(damaged)
        assert sources(definitions_in(folder)) == ["answer ^ 1"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
@pytest.mark.parametrize("is_folder", [False, True])
def test_what_others_can_write_is_not_used(folder: Path, caches: Path, *, is_folder: bool) -> None:
    definitions_in(folder)
    (caches if is_folder else kept_file(caches)).chmod(0o777)
    write(folder / "Made" / "Kept.class.st", AFTER)  # with the time and the size that it had
    assert sources(definitions_in(folder)) == ["answer ^ 2"]


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such permissions")
def test_only_the_user_can_read_and_write_it(folder: Path, caches: Path) -> None:
    definitions_in(folder)
    assert (caches.stat().st_mode & 0o777, kept_file(caches).stat().st_mode & 0o777) == (0o700, 0o600)


def test_a_folder_is_read_where_nothing_can_be_kept(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("", "utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", os.fspath(tmp_path / "file"))
    assert sources(definitions_in(folder)) == ["answer ^ 1"]


def test_what_another_version_of_python_has_kept_is_not_used(
    folder: Path, caches: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    definitions_in(folder)
    write(folder / "Made" / "Kept.class.st", AFTER)  # with the time and the size that it had
    monkeypatch.setattr(sys.implementation, "cache_tag", "another-0")
    assert sources(definitions_in(folder)) == ["answer ^ 2"]


WRITER = """
import os, sys
from pharo_practice.tonel.cache import definitions_in
for number in range(100):
    os.utime(sys.argv[2], ns=(number, number))
    texts = [method.source for each in definitions_in(sys.argv[1]) for method in each.methods]
    assert texts == ["answer ^ 1"], texts
"""


def test_two_images_can_keep_a_folder_at_once(folder: Path, caches: Path) -> None:
    file = folder / "Made" / "package.st"
    command = [sys.executable, "-c", WRITER, os.fspath(folder), os.fspath(file)]
    writers = [subprocess.Popen(command) for _ in range(2)]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    assert len(list(caches.iterdir())) == 1
