"""Fake virtual machines: they accept Pharo's command line and run the practice image."""

import sys
from pathlib import Path

import pharo_mcp

COMPANION = Path(pharo_mcp.__file__).parents[2] / "pharo"
FAKE_MACHINE = Path(__file__).with_name("fake_machine.py")
VERSIONS = ("12", "14")
"""The versions of Pharo whose command lines differ; 13 has the same one as 12."""

SCRIPT = """#!/bin/sh
echo "$*" >> '{folder}/commands'
echo 'output of the virtual machine'
exec '{python}' '{fake_machine}' {version} {status} {discards} {serves} '{companion}' '{folder}/sunit' "$@"
"""


def machine_in(
    folder: Path, status: int = 0, version: str = "12", *, discards: bool = False, serves: bool = True
) -> Path:
    """Write a fake virtual machine into a folder; it logs its command lines.

    `status` is its exit status after loading. With `discards`, it exits with status 0 but does not save the
    image. Without `serves`, it exits where it should keep the image open. A run of SUnit tests prints the
    file `sunit` in the folder.
    """
    file = folder / "pharo"
    file.write_text(
        SCRIPT.format(
            folder=folder,
            python=sys.executable,
            fake_machine=FAKE_MACHINE,
            version=version,
            status=status,
            discards=int(discards),
            serves=int(serves),
            companion=COMPANION,
        ),
        "utf-8",
    )
    file.chmod(0o700)
    return file


def commands_of(machine: Path) -> list[str]:
    """The command lines of a fake virtual machine, one per run."""
    return (machine.parent / "commands").read_text("utf-8").splitlines()


def image_in(folder: Path) -> Path:
    """Write an image file; its name is the one that the practice image reports."""
    folder.mkdir(parents=True, exist_ok=True)
    image = folder / "practice.image"
    image.write_bytes(b"an image")
    image.with_suffix(".changes").write_bytes(b"its changes")
    return image
