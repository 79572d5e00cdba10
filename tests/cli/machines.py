"""Virtual machines for the tests: they take what those of Pharo take, and run the practice image."""

import sys
from pathlib import Path

import pharo_mcp

COMPANION = Path(pharo_mcp.__file__).parents[2] / "pharo"
PLAYED = Path(__file__).with_name("played_machine.py")
VERSIONS = ("12", "14")
"""Of Pharo: those whose command lines differ; 13 has that of 12."""

SCRIPT = """#!/bin/sh
echo "$*" >> '{folder}/asked'
echo 'this is what a virtual machine says'
exec '{python}' '{played}' {version} {status} {loses} {serves} '{companion}' '{folder}/sunit' "$@"
"""


def machine_in(
    folder: Path, status: int = 0, version: str = "12", *, loses: bool = False, serves: bool = True
) -> Path:
    """A virtual machine that notes what it was asked.

    Loading ends with the status; the image that `loses` says it was saved, and has nothing when opened again.
    One that does not serve ends where it should stay open. To run SUnit tests prints the file `sunit` in the
    folder.
    """
    file = folder / "pharo"
    file.write_text(
        SCRIPT.format(
            folder=folder,
            python=sys.executable,
            played=PLAYED,
            version=version,
            status=status,
            loses=int(loses),
            serves=int(serves),
            companion=COMPANION,
        ),
        "utf-8",
    )
    file.chmod(0o700)
    return file


def asked_of(machine: Path) -> list[str]:
    """What it was asked, each time."""
    return (machine.parent / "asked").read_text("utf-8").splitlines()


def image_in(folder: Path) -> Path:
    """An image file: it is named as the practice image says that it is."""
    folder.mkdir(parents=True, exist_ok=True)
    image = folder / "stand-in.image"
    image.write_bytes(b"an image")
    image.with_suffix(".changes").write_bytes(b"its changes")
    return image
