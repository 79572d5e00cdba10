"""Packages written as Tonel: what was read comes out byte for byte, what was made can be read again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

COMPANION = Path(__file__).parents[2] / "pharo"
PACKAGES = sorted(path.parent.name for path in COMPANION.glob("*/package.st"))
MADE = (
    "(Trait << #TWritten slots: { #kept }; package: 'Written') install",
    "TWritten compile: 'shared ^ kept' classified: 'sharing'",
    """(Object << #Written
        layout: VariableLayout;
        traits: { TWritten };
        slots: { #first. #second };
        sharedVariables: { #Shared };
        sharedPools: { ZnConstants };
        tag: 'Things';
        package: 'Written') install""",
    "(Object class << (Smalltalk globals at: #Written) class slots: { #only }) install",
    "(Smalltalk globals at: #Written) comment: 'I say \"so\".'",
    "Written class compile: 'only ^ only' classified: 'accessing'",
    "Written compile: 'at: one \"x\"\r\tput: other\r\r\t\"[ it''s ]\"\r\t^ #($] ''['')' classified: 'it''s'",
    "Written compile: '+ other ^ other' classified: 'arithmetic'",
    "Object compile: 'isWritten ^ false' classified: '*Written'",
)
SHOWN = "{ Written definitionString. Written class definitionString. Written comment. 3 isWritten }"


def run(*options: str) -> subprocess.CompletedProcess[str]:
    """The practice image with these options, in a process of its own."""
    command = [sys.executable, "-m", "pharo_practice", *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def contents(folder: Path) -> dict[str, bytes]:
    """Every file in a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_packages_that_were_loaded_are_written_byte_for_byte(tmp_path: Path) -> None:
    exports = [part for package in PACKAGES for part in ("--export", package, str(tmp_path))]
    assert run("--load", str(COMPANION), *exports).stderr == ""
    for package in PACKAGES:
        assert contents(tmp_path / package) == contents(COMPANION / package)


def test_code_made_by_evaluation_is_exported_and_loaded_unchanged(tmp_path: Path) -> None:
    first, second = tmp_path / "first", tmp_path / "second"
    making = [part for source in MADE for part in ("--do", source)]
    made = run(*making, "--print", SHOWN, "--export", "Written", str(first))
    read = run("--load", str(first), "--print", SHOWN, "--export", "Written", str(second))
    assert made.stderr == read.stderr == ""
    assert made.stdout == read.stdout
    assert contents(first / "Written") == contents(second / "Written")
    assert set(contents(first / "Written")) == {
        "Object.extension.st",
        "TWritten.trait.st",
        "Written.class.st",
        "package.st",
    }


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (("--export", "Nowhere", "."), "cannot export: there is no package Nowhere\n"),
        (("--export", "Nowhere"), "--export needs 2 values"),
    ],
)
def test_a_failed_export_is_reported_in_a_sentence(options: tuple[str, ...], error: str) -> None:
    done = run(*options)
    assert done.returncode == 1
    assert done.stderr.startswith(error)
