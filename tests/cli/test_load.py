"""`pharo-mcp load` loads the companion into an image without losing work."""

import os
import subprocess
from pathlib import Path

import pytest

from cli.machines import COMPANION, VERSIONS, commands_of, image_in, machine_in
from cli.running import run
from pharo_mcp import __version__
from programs import COMMAND, Program, environment

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the fake virtual machine is a shell script")


def test_without_an_image_it_prints_the_smalltalk_to_evaluate(home: Path) -> None:
    result = run("load", home=home)
    assert result.returncode == 0
    assert (
        f"Metacello new baseline: 'PharoMcp'; repository: 'tonel://{COMPANION}'; onConflictUseIncoming; load."
        in result.stdout
    )
    assert "(Smalltalk at: #PharoMcp) start" in result.stdout


def test_the_printed_smalltalk_compiles_before_the_companion_is_loaded(home: Path) -> None:
    printed = run("load", home=home).stdout
    assert "PharoMcp" not in printed.replace("'PharoMcp'", "").replace("#PharoMcp", "")


@pytest.mark.parametrize("version", VERSIONS)
def test_it_loads_into_a_copy(home: Path, version: str) -> None:
    image, machine = image_in(home / "my images"), machine_in(home, version=version)
    result = run("load", "--image", str(image), "--vm", str(machine), home=home)
    copy = image.with_name("practice-mcp.image")
    assert (result.returncode, copy.read_bytes()) == (0, b"an image, with the companion"), result.stderr
    assert image.read_bytes() == b"an image"
    assert copy.with_suffix(".changes").read_bytes() == b"its changes"
    load, check = commands_of(machine)
    assert load == (
        f"--headless {copy} eval --save "
        "Smalltalk at: #PharoMcp ifPresent: [ :it | it uninstall ]. "
        f"Metacello new baseline: 'PharoMcp'; repository: 'tonel://{COMPANION}'; onConflictUseIncoming; load"
    )
    assert check.startswith(f"--headless {copy} eval ")
    assert f"pharo-mcp launch --image '{copy}'" in result.stdout


def test_an_image_that_was_not_saved_is_reported(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home, discards=True)
    result = run("load", "--image", str(image), "--vm", str(machine), home=home)
    assert result.returncode == 1
    assert "when opened again it has no companion instead of companion" in result.stderr
    assert sorted(os.listdir(image.parent)) == ["practice.changes", "practice.image"]


def test_a_companion_of_another_version_is_reported(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    version = image.with_name("companion-version")
    version.write_text("0.0.9", "utf-8")
    result = run("load", "--image", str(image), "--vm", str(machine), home=home)
    assert (result.returncode, result.stdout) == (1, "")
    assert f"it has companion 0.0.9 instead of companion {__version__}" in result.stderr
    assert sorted(os.listdir(image.parent)) == ["companion-version", "practice.changes", "practice.image"]


def test_a_file_of_the_users_stays_if_loading_fails(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home, status=3)
    log = image.with_name("PharoDebug.log")
    log.write_text("of yesterday", "utf-8")
    assert run("load", "--image", str(image), "--vm", str(machine), home=home).returncode == 1
    assert log.exists()


def test_loading_that_is_interrupted_leaves_nothing_behind(home: Path) -> None:
    image = image_in(home / "images")
    machine = home / "endless"
    machine.write_text("#!/bin/sh\necho started\nexec sleep 100\n", "utf-8")
    machine.chmod(0o700)
    command = [*COMMAND, "load", "--image", str(image), "--vm", str(machine)]
    with Program(command, environment(home), subprocess.PIPE) as program:
        assert program.process.stderr is not None
        while b"started" not in (line := program.process.stderr.readline()):
            assert line
        program.process.terminate()
        assert program.wait() == 143
        assert b"Traceback" not in program.process.stderr.read()
    assert sorted(os.listdir(image.parent)) == ["practice.changes", "practice.image"]


def test_an_open_image_is_rejected(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    with image.with_suffix(".changes").open("ab"):
        result = run("load", "--image", str(image), "--vm", str(machine), home=home)
    assert result.returncode == 1
    assert f"{image} is open. Nothing was loaded" in result.stderr
    assert not (home / "commands").exists()


def test_an_existing_copy_is_not_overwritten(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    copy = image.with_name("practice-mcp.image")
    copy.write_bytes(b"work of a month")
    result = run("load", "--image", str(image), "--vm", str(machine), home=home)
    assert result.returncode == 1
    assert "already exists" in result.stderr
    assert copy.read_bytes() == b"work of a month"


def test_a_copy_is_deleted_if_loading_fails(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home, status=3)
    assert run("load", "--image", str(image), "--vm", str(machine), home=home).returncode == 1
    assert run("load", "--image", str(image), home=home, PATH="").returncode == 1
    assert sorted(os.listdir(image.parent)) == ["practice.changes", "practice.image"]


def test_a_file_that_is_not_an_image_is_rejected(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    result = run("load", "--image", str(image.with_suffix(".changes")), "--vm", str(machine), home=home)
    assert result.returncode == 1
    assert "is not an image file: its name does not end in .image" in result.stderr
    assert not (home / "commands").exists()


def test_a_missing_image_is_reported(home: Path) -> None:
    result = run("load", "--image", str(home / "no.image"), home=home)
    assert result.returncode == 1
    assert "does not exist" in result.stderr


def test_a_missing_virtual_machine_is_reported_with_the_folders_searched(home: Path) -> None:
    result = run("load", "--image", str(image_in(home / "images")), home=home, PATH="")
    assert result.returncode == 1
    assert "no virtual machine was found" in result.stderr
    assert "--vm" in result.stderr


def test_the_output_of_a_failing_virtual_machine_is_shown(home: Path) -> None:
    machine = machine_in(home, status=3)
    result = run("load", "--image", str(image_in(home / "images")), "--vm", str(machine), home=home)
    assert result.returncode == 1
    assert "output of the virtual machine" in result.stderr
    assert "ended with status 3" in result.stderr
