"""`pharo-mcp load`: the companion into an image, and nobody's work lost."""

import os
from pathlib import Path

import pytest

from cli.machines import COMPANION, VERSIONS, asked_of, image_in, machine_in
from cli.running import run

pytestmark = pytest.mark.skipif(os.name != "posix", reason="plays a virtual machine by a shell script")


def test_without_an_image_it_prints_what_to_evaluate(home: Path) -> None:
    told = run("load", home=home)
    assert told.returncode == 0
    assert f"Metacello new baseline: 'PharoMcp'; repository: 'tonel://{COMPANION}'; load." in told.stdout
    assert "(Smalltalk at: #PharoMcp) start" in told.stdout


def test_what_it_prints_names_no_class_that_only_loading_brings(home: Path) -> None:
    told = run("load", home=home).stdout
    assert "PharoMcp" not in told.replace("'PharoMcp'", "").replace("#PharoMcp", "")


@pytest.mark.parametrize("version", VERSIONS)
def test_it_loads_into_a_copy(home: Path, version: str) -> None:
    image, machine = image_in(home / "my images"), machine_in(home, version=version)
    told = run("load", "--image", str(image), "--vm", str(machine), home=home)
    copy = image.with_name("stand-in-mcp.image")
    assert (told.returncode, copy.read_bytes()) == (0, b"an image, with the companion"), told.stderr
    assert image.read_bytes() == b"an image"
    assert copy.with_suffix(".changes").read_bytes() == b"its changes"
    load, look = asked_of(machine)
    assert load == (
        f"--headless {copy} eval --save "
        f"Metacello new baseline: 'PharoMcp'; repository: 'tonel://{COMPANION}'; load"
    )
    assert look.startswith(f"--headless {copy} eval ")
    assert f"pharo-mcp launch --image '{copy}'" in told.stdout


def test_an_image_that_ends_well_and_was_not_saved_is_told(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home, loses=True)
    told = run("load", "--image", str(image), "--vm", str(machine), home=home)
    assert told.returncode == 1
    assert "opened again it has no companion" in told.stderr
    assert sorted(os.listdir(image.parent)) == ["stand-in.changes", "stand-in.image"]


def test_it_loads_in_place_when_told_to(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    assert run("load", "--image", str(image), "--in-place", "--vm", str(machine), home=home).returncode == 0
    assert str(image) in asked_of(machine)[0]
    assert sorted(os.listdir(image.parent)) == ["stand-in.changes", "stand-in.image"]


def test_an_open_image_is_refused(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    with image.with_suffix(".changes").open("ab"):
        told = run("load", "--image", str(image), "--vm", str(machine), home=home)
    assert told.returncode == 1
    assert f"{image} is open. Nothing was loaded" in told.stderr
    assert not (home / "asked").exists()


def test_a_copy_that_is_there_is_not_written_over(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    copy = image.with_name("stand-in-mcp.image")
    copy.write_bytes(b"work of a month")
    told = run("load", "--image", str(image), "--vm", str(machine), home=home)
    assert told.returncode == 1
    assert "is there already" in told.stderr
    assert copy.read_bytes() == b"work of a month"


def test_a_copy_into_which_nothing_was_loaded_does_not_stay(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home, status=3)
    assert run("load", "--image", str(image), "--vm", str(machine), home=home).returncode == 1
    assert run("load", "--image", str(image), home=home, PATH="").returncode == 1
    assert sorted(os.listdir(image.parent)) == ["stand-in.changes", "stand-in.image"]


def test_what_is_no_image_is_refused(home: Path) -> None:
    image, machine = image_in(home / "images"), machine_in(home)
    told = run("load", "--image", str(image.with_suffix(".changes")), "--vm", str(machine), home=home)
    assert told.returncode == 1
    assert "is no image: its name does not end in .image" in told.stderr
    assert not (home / "asked").exists()


def test_an_image_that_is_not_there_is_told(home: Path) -> None:
    told = run("load", "--image", str(home / "no.image"), home=home)
    assert told.returncode == 1
    assert "there is no image" in told.stderr


def test_no_virtual_machine_is_told_with_where_it_was_looked_for(home: Path) -> None:
    told = run("load", "--image", str(image_in(home / "images")), home=home, PATH="")
    assert told.returncode == 1
    assert "no virtual machine was found" in told.stderr
    assert "--vm" in told.stderr


def test_what_the_virtual_machine_says_is_shown_when_it_fails(home: Path) -> None:
    machine = machine_in(home, status=3)
    told = run("load", "--image", str(image_in(home / "images")), "--vm", str(machine), home=home)
    assert told.returncode == 1
    assert "this is what a virtual machine says" in told.stderr
    assert "ended with status 3" in told.stderr
