"""The code of superinstructions is kept for the next image, and used only where it can be trusted."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from types import CodeType

import pytest

from pharo_practice.compiling.kept_templates import (
    FEWEST,
    MOST_KEPT,
    NAME,
    keep_templates,
    kept_templates,
    unpacked,
)
from pharo_practice.compiling.superinstruction_code import code_of
from pharo_practice.compiling.templates import Shape

pytestmark = pytest.mark.usefixtures("file")


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file in which they are kept, in a cache folder of the test's own."""
    monkeypatch.setenv("XDG_CACHE_HOME", os.fspath(tmp_path))
    return tmp_path / "pharo-mcp" / NAME


def shapes(count: int, word: str = "self") -> dict[Shape, CodeType]:
    """So many shapes, with the code of one of them for all."""
    code = code_of(f"{word} return")
    return {f"{word} " * length + "return": code for length in range(count)}


def test_nothing_is_kept_at_first() -> None:
    assert kept_templates() == {}


def test_what_was_kept_is_found_and_unpacked() -> None:
    used = shapes(FEWEST)
    keep_templates(used)
    found = kept_templates()
    assert found.keys() == used.keys()
    assert unpacked(found["self return"]) == used["self return"]


def test_a_few_new_ones_are_not_worth_writing(file: Path) -> None:
    keep_templates(shapes(FEWEST - 1))
    assert not file.exists()
    keep_templates(shapes(FEWEST))
    before = file.read_bytes()
    keep_templates(shapes(FEWEST + 1))
    assert file.read_bytes() == before


def test_what_was_kept_before_stays() -> None:
    keep_templates(shapes(FEWEST))
    more = shapes(FEWEST + 1, "context")
    keep_templates(more)
    assert kept_templates().keys() == shapes(FEWEST).keys() | more.keys()


def test_a_bounded_number_is_kept() -> None:
    keep_templates(shapes(FEWEST, "context"))
    keep_templates(shapes(MOST_KEPT + 1))
    assert kept_templates().keys() == shapes(MOST_KEPT).keys()


def test_what_was_not_used_for_longest_goes_first() -> None:
    for word in ("self", "context"):
        keep_templates(shapes(MOST_KEPT // 2, word))
    keep_templates(shapes(FEWEST + 1, "temporary"))
    found = kept_templates().keys()
    assert len(found) == MOST_KEPT
    assert shapes(FEWEST + 1, "temporary").keys() | shapes(MOST_KEPT // 2, "context").keys() < found


@pytest.mark.parametrize("damage", [b"", b"1234", b"\0" * 100])
def test_a_damaged_file_is_not_used_and_replaced(file: Path, damage: bytes) -> None:
    keep_templates(shapes(FEWEST))
    file.write_bytes(damage)
    assert kept_templates() == {}
    keep_templates(shapes(FEWEST))
    assert len(kept_templates()) == FEWEST


def test_a_changed_byte_is_noticed(file: Path) -> None:
    keep_templates(shapes(FEWEST))
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    file.write_bytes(content)
    assert kept_templates() == {}


def test_another_python_does_not_use_it(monkeypatch: pytest.MonkeyPatch) -> None:
    keep_templates(shapes(FEWEST))
    monkeypatch.setattr(sys, "hexversion", sys.hexversion + 1)
    assert kept_templates() == {}


@pytest.mark.skipif(sys.platform == "win32", reason="Windows protects profiles in its own way")
@pytest.mark.parametrize("is_folder", [False, True])
def test_what_others_can_write_is_not_used(file: Path, *, is_folder: bool) -> None:
    keep_templates(shapes(FEWEST))
    (file.parent if is_folder else file).chmod(0o777)
    assert kept_templates() == {}


def test_nothing_is_kept_where_there_is_no_folder_for_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, "")
    monkeypatch.setenv("HOME", "nowhere")
    keep_templates(shapes(FEWEST))
    assert kept_templates() == {}


def test_an_image_goes_on_where_it_cannot_be_kept(file: Path) -> None:
    file.parent.write_text("", "utf-8")
    keep_templates(shapes(FEWEST))
