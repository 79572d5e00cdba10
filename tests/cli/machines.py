"""A virtual machine for the tests: it takes what a real one takes, and runs the practice image."""

import sys
from pathlib import Path

import pharo_mcp

COMPANION = Path(pharo_mcp.__file__).parents[2] / "pharo"

SCRIPT = """#!/bin/sh
echo "$*" >> '{folder}/asked'
echo 'this is what a virtual machine says'
for word; do
    case "$word" in
        metacello) exit {status};;
        *.image) cd "$(dirname "$word")";;
        *.st) script="$(cat "$word")";;
    esac
done
[ -n "$script" ] || exit {status}
sleep 600 | '{python}' -m pharo_standin --load '{companion}' --do "$script" --serve
"""


def machine_in(folder: Path, status: int = 0) -> Path:
    """A virtual machine that ends with a status where it is not to stay; it notes what it was asked."""
    file = folder / "pharo"
    text = SCRIPT.format(folder=folder, python=sys.executable, companion=COMPANION, status=status)
    file.write_text(text, "utf-8")
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
