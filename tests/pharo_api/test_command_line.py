"""The commands of scripts/check-smalltalk, as a person uses them."""

import subprocess
import sys
from pathlib import Path

import pytest

from pharo_api.command_line import main
from pharo_api.own_rules import ROOT
from pharo_api.small_projects import class_file, write_package


def run(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str]:
    """The exit status of a command, and what it printed."""
    return main(arguments), capsys.readouterr().out


@pytest.fixture
def package(tmp_path: Path) -> str:
    """The folder of a package with one error and one warning."""
    return str(write_package(tmp_path, {"Foo.class.st": class_file("| unused | ^ 3 startDefaultOn: arg")}))


def test_check_shows_findings_and_fails_where_there_are_errors(
    capsys: pytest.CaptureFixture[str], package: str
) -> None:
    status, shown = run(capsys, "check", package)
    assert status == 1
    warned, wrong, summary = shown.splitlines()
    assert warned.endswith("Foo.class.st:13:3: warning: temporary unused is unused [12,13,14]")
    assert "Foo.class.st:13:16: error: SmallInteger does not understand #startDefaultOn:" in wrong
    assert summary == "1 errors, 1 warnings in 1 methods of 1 classes"


def test_check_can_leave_warnings_and_versions_out(capsys: pytest.CaptureFixture[str], package: str) -> None:
    status, shown = run(capsys, "check", package, "--errors-only", "--versions", "13")
    assert status == 1
    assert [line[-4:] for line in shown.splitlines()[:-1]] == ["[13]"]


def test_packages_that_a_project_loads_are_known(
    capsys: pytest.CaptureFixture[str], package: str, tmp_path: Path
) -> None:
    (tmp_path / "user").mkdir()
    user = class_file("^ Foo new run: arg", "Bar")
    folder = str(write_package(tmp_path / "user", {"Bar.class.st": user}))
    assert run(capsys, "check", folder)[0] == 1
    assert run(capsys, "check", folder, "--with", package)[0] == 0


def test_subset_fails_where_pharo_lacks_a_class(capsys: pytest.CaptureFixture[str], package: str) -> None:
    status, shown = run(capsys, "subset", package)
    assert status == 1
    assert "error: Pharo has no class Foo [12,13,14]" in shown


def test_lookup_shows_classes_and_implementors(capsys: pytest.CaptureFixture[str]) -> None:
    status, shown = run(capsys, "lookup", "ZnServer")
    assert status == 0
    assert "ZnServer < Object < ProtoObject" in shown
    status, shown = run(capsys, "lookup", "#nextPutAll:")
    assert status == 0
    assert "WriteStream" in shown


def test_lookup_proposes_a_name_for_one_that_there_is_not(capsys: pytest.CaptureFixture[str]) -> None:
    status, shown = run(capsys, "lookup", "ZnServr")
    assert status == 1
    assert "did you mean ZnServer?" in shown
    assert run(capsys, "lookup", "--selector", "ZnServer")[0] == 1


def test_copied_counts_what_it_compares(capsys: pytest.CaptureFixture[str], package: str) -> None:
    status, shown = run(capsys, "copied", package)
    assert status == 0
    assert shown.startswith("0 of 0 methods of 100 characters or more")


def test_data_of_a_version_have_to_be_there(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["lookup", "Object", "--versions", "13,99"])
    assert "there are no data of Pharo 99" in capsys.readouterr().err


def test_the_script_runs_a_command() -> None:
    script = str(ROOT / "scripts" / "check-smalltalk")
    command = [sys.executable, script, "lookup", "ZnServr", "--versions", "13"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == "Pharo 13: no ZnServr (did you mean ZnServer?)\n"
