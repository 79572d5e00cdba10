"""The scripts that a person runs, where they can be run without what they are for."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cli.machines import VERSIONS, image_in, machine_in
from companion.test_sunit import written_tests
from programs import PATIENCE, environment

MINI = """Class {
	#name : 'MiniTest',
	#superclass : 'TestCase',
	#category : 'PharoMcp-Core-Tests',
	#package : 'PharoMcp-Core-Tests'
}

{ #category : 'tests' }
MiniTest >> testFails [

	self assert: 1 equals: 2
]

{ #category : 'tests' }
MiniTest >> testErrs [

	1 / 0
]

{ #category : 'tests' }
MiniTest >> testPasses [

	self assert: true
]

{ #category : 'tests' }
MiniTest >> testSkips [

	self skip
]
"""

SCRIPTS = Path(__file__).parents[1] / "scripts"

needs_posix = pytest.mark.skipif(os.name == "nt", reason="the fake virtual machine is a shell script")


def verdict(folder: Path, sunit: list[str], version: str = "12", status: int = 0, *options: str) -> str:
    """What `scripts/test-image` prints when the SUnit tests print this; its image never serves."""
    machine, image = machine_in(folder, status, version, serves=False), image_in(folder / "images")
    (folder / "sunit").write_text("\n".join(sunit), "utf-8")
    run = subprocess.run(
        [sys.executable, SCRIPTS / "test-image", image, "--vm", machine, *options],
        env=environment(folder, PHARO_MCP_TEST_IMAGE="started", PATH=os.environ["PATH"], DISPLAY=":0"),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert run.returncode == 1
    return run.stdout + run.stderr


def lines(outcome: str = "passed ") -> list[str]:
    """What is printed of all tests that are written, with this outcome of the first."""
    first, *rest = sorted(written_tests())
    return [f"SUNIT {' '.join(first)} {outcome}", *(f"SUNIT {' '.join(name)} passed " for name in rest)]


@needs_posix
@pytest.mark.parametrize("version", VERSIONS)
def test_the_tests_of_an_image_are_counted(tmp_path: Path, version: str) -> None:
    told = verdict(tmp_path, lines("skipped "), version)
    count = len(lines())
    assert re.search(rf"^SUnit +{count} +{count - 1} +1 +0$", told, re.M), told
    assert "Unrecognized" not in told
    assert "Undeclared" not in told


@needs_posix
@pytest.mark.parametrize("version", VERSIONS)
def test_an_image_with_windows_is_started_with_them_and_quits_by_itself(tmp_path: Path, version: str) -> None:
    told = verdict(tmp_path, lines(), version, 0, "--windows")
    count = len(lines())
    assert re.search(rf"^SUnit +{count} +{count} +0 +0$", told, re.M), told
    loading, *others = (tmp_path / "commands").read_text("utf-8").splitlines()
    assert loading.startswith("--headless ")
    assert [" --interactive " in f"{each} " for each in others] == [True, True]


@needs_posix
def test_an_image_in_which_no_sunit_test_ran_does_not_pass(tmp_path: Path) -> None:
    told = verdict(tmp_path, ["0 run, 0 passes, 0 failures, 0 errors."])
    assert "SUnit: no test ran" in told


@needs_posix
def test_an_image_in_which_a_test_that_is_written_did_not_run_does_not_pass(tmp_path: Path) -> None:
    *others, last = lines()
    told = verdict(tmp_path, others)
    _, name, selector, _ = last.split()
    assert f"{name}>>{selector} did not run" in told


@needs_posix
def test_an_image_in_which_a_sunit_test_failed_does_not_pass(tmp_path: Path) -> None:
    assert "failed: ZeroDivide" in verdict(tmp_path, lines("failed ZeroDivide"))


@needs_posix
def test_an_image_into_which_nothing_could_be_loaded_is_not_tested(tmp_path: Path) -> None:
    told = verdict(tmp_path, [], status=3)
    assert "Loading the companion failed with status 3" in told
    assert "Running" not in told


def test_the_sunit_tests_are_run_as_a_suite_runs_them(tmp_path: Path) -> None:
    package = tmp_path / "PharoMcp-Core-Tests"
    package.mkdir()
    (package / "package.st").write_text("Package { #name : 'PharoMcp-Core-Tests' }\n", "utf-8")
    (package / "MiniTest.class.st").write_text(MINI, "utf-8")
    script = (SCRIPTS / "sunit.st").read_text("utf-8")
    command = [sys.executable, "-m", "pharo_practice", "--load", str(tmp_path), "--do", script]
    told = subprocess.run(
        command, env=environment(tmp_path), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert told.returncode == 0, told.stderr
    assert sorted(line.rstrip() for line in told.stderr.splitlines() if line.startswith("SUNIT")) == [
        "SUNIT MiniTest testErrs failed ZeroDivide",
        "SUNIT MiniTest testFails failed TestFailure: Got 1 instead of 2.",
        "SUNIT MiniTest testPasses passed",
        "SUNIT MiniTest testSkips skipped",
    ]


def test_the_headless_script_starts_the_companion(tmp_path: Path) -> None:
    script = (SCRIPTS.parent / "pharo" / "start-headless.st").read_text("utf-8")
    command = [
        sys.executable,
        "-m",
        "pharo_practice",
        "--load",
        str(SCRIPTS.parent / "pharo"),
        "--do",
        script,
    ]
    told = subprocess.run(
        command, env=environment(tmp_path), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert "Pharo MCP is open at http://127.0.0.1:" in told.stdout + told.stderr


def test_without_a_companion_the_headless_script_gives_advice(tmp_path: Path) -> None:
    script = (SCRIPTS.parent / "pharo" / "start-headless.st").read_text("utf-8")
    command = [sys.executable, "-m", "pharo_practice", "--do", script]
    told = subprocess.run(
        command, env=environment(tmp_path), capture_output=True, text=True, timeout=PATIENCE, check=False
    )
    assert told.returncode == 1
    assert "pharo-mcp load --image" in told.stderr


FAKE_PYTHON = """#!/bin/sh
echo "$*" >> '{folder}/commands'
case "$*" in *"{failing}"*) exit 1;; esac
"""


def commands_of_test(folder: Path, *arguments: str, failing: str = "nothing") -> tuple[list[str], str]:
    """What `scripts/test` runs with its Python, without what pip installs, and the last line it prints."""
    for name in ("test", "environment.py"):
        (folder / "scripts").mkdir(exist_ok=True)
        shutil.copy(SCRIPTS / name, folder / "scripts")
    shutil.copy(SCRIPTS.parent / "pyproject.toml", folder)
    python = folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text(FAKE_PYTHON.format(folder=folder, failing=failing), "utf-8")
    python.chmod(0o700)
    run = subprocess.run(
        [sys.executable, folder / "scripts" / "test", *arguments],
        env=environment(folder, PATH=str(folder)),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    commands = (folder / "commands").read_text("utf-8").splitlines()
    return [command for command in commands if "-m pip" not in command], run.stderr.splitlines()[-1]


@needs_posix
def test_a_full_run_checks_everything_and_then_tests_everything(tmp_path: Path) -> None:
    commands, _ = commands_of_test(tmp_path)
    assert [" ".join(command.split()[1:2]) for command in commands[:3]] == ["ruff", "ruff", "mypy"]
    smalltalk, tests = commands[-2:]
    assert smalltalk == "scripts/check-smalltalk"
    assert tests.startswith("-m pytest --numprocesses=auto ")


@needs_posix
def test_a_quick_run_lints_and_runs_the_fastest_tests(tmp_path: Path) -> None:
    *lint, tests = commands_of_test(tmp_path, "--quick", "-x")[0]
    assert lint == ["-m ruff check", "-m ruff format --check"]
    _, _, *folders, last = tests.split()
    assert last == "-x"
    assert folders
    assert not [folder for folder in folders if not (SCRIPTS.parent / folder).exists()]


@needs_posix
def test_with_arguments_pytest_runs_alone(tmp_path: Path) -> None:
    assert commands_of_test(tmp_path, "-k", "evaluate")[0] == ["-m pytest -k evaluate"]


@needs_posix
def test_failures_are_listed_at_the_end(tmp_path: Path) -> None:
    commands, last = commands_of_test(tmp_path, "--quick", failing="format")
    assert len(commands) == 3
    assert last == "Failed: format."


@needs_posix
def test_each_page_with_generated_parts_is_checked(tmp_path: Path) -> None:
    root = SCRIPTS.parent
    [check] = [command for command in commands_of_test(tmp_path)[0] if "cogapp" in command]
    pages = {page for page in check.split() if page.endswith(".md")}
    generated = {
        page for page in [*root.glob("*.md"), *root.glob("docs/*.md")] if "[[[cog" in page.read_text("utf-8")
    }
    assert pages == {page.relative_to(root).as_posix() for page in generated}
    generate = (root / "scripts" / "generate").read_text("utf-8")
    assert set(re.findall(r'"([\w/-]+\.md)"', generate)) == pages


@needs_posix
def test_each_workflow_and_each_issue_form_is_checked(tmp_path: Path) -> None:
    checks = [command for command in commands_of_test(tmp_path)[0] if "check_jsonschema" in command]
    checked = {word for command in checks for word in command.split() if word.startswith(".github/")}
    folder = SCRIPTS.parent / ".github"
    files = {path.relative_to(folder.parent).as_posix() for path in folder.rglob("*.yml")}
    assert checked == files - {".github/ISSUE_TEMPLATE/config.yml"}


def test_a_call_passes_few_modules(tmp_path: Path) -> None:
    counted = subprocess.run(
        [sys.executable, SCRIPTS / "count-path", "count"],
        env=environment(tmp_path),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert counted.returncode == 0, counted.stdout + counted.stderr
    assert "pharo_mcp.tools.evaluating" in counted.stdout
