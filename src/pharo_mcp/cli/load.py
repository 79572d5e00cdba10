"""`pharo-mcp load`: load the companion into an image."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress

from pharo_mcp.app import evaluate, is_open
from pharo_mcp.image import load_and_start, load_companion

from .host import Host
from .installed import machine_for
from .progress import elapsed

SUFFIX = "-mcp"
"""Suffix that the copy of an image has in its name."""
CHECK = "'companion: ' , (Smalltalk includesKey: #PharoMcp) printString"
LOADED = "companion: true"
"""An expression that checks for the companion, and its output if loaded; exit status 0 is no proof."""


class LoadFailed(Exception):
    """The companion was not loaded; the message says why and what to do next."""


def run(options: Mapping[str, str]) -> int:
    """Print the Smalltalk that loads the companion, or load it into the given image."""
    if "image" not in options:
        if "in_place" in options:
            print("pharo-mcp: --in-place requires --image", file=sys.stderr)
            return 2
        print(load_and_start())
        print("Evaluate this in a Playground of your image.", file=sys.stderr)
        return 0
    try:
        image = require_closed(options["image"])
        machine = machine_for(Host.current(), image, options.get("vm"))
        if "in_place" in options:
            load(machine, image)
        else:
            image = load_copy(machine, image)
    except (LoadFailed, OSError, LookupError) as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 1
    print(f"The companion was loaded into {image}. Start it with: pharo-mcp launch --image '{image}'")
    return 0


def require_closed(image: str) -> str:
    """Return the absolute path of an image that exists and that no running program has open."""
    if not os.path.isfile(image):
        raise LoadFailed(f"image {image} does not exist")
    if not image.endswith(".image"):
        raise LoadFailed(f"{image} is not an image file: its name does not end in .image")
    if is_open(image):
        raise LoadFailed(
            f"{image} is open. Nothing was loaded: unsaved work in it would be lost. Evaluate in it "
            "what `pharo-mcp load` prints, or close it and try again."
        )
    return os.path.abspath(image)


def load_copy(machine: str, image: str) -> str:
    """Load into a copy and return its path; delete the copy if loading fails."""
    copy = copy_of(image)
    try:
        load(machine, copy)
    except BaseException:
        for extension in (".image", ".changes"):
            with suppress(FileNotFoundError):
                os.remove(os.path.splitext(copy)[0] + extension)
        raise
    return copy


def copy_of(image: str) -> str:
    """Copy an image and its changes file, in the same folder, without overwriting a file."""
    stem = os.path.splitext(image)[0]
    copy = f"{stem}{SUFFIX}.image"
    if os.path.exists(copy):
        raise LoadFailed(
            f"{copy} already exists, and `load` would create it as a copy. Delete it, or load into the "
            "original image with --in-place (which saves that image)."
        )
    for extension in (".changes", ".image"):
        if os.path.exists(stem + extension):
            shutil.copy2(stem + extension, stem + SUFFIX + extension)
    return copy


def load(machine: str, image: str) -> None:
    """Load the companion, save the image and quit; then open it again to check the result."""
    finished = run_pharo(evaluate(machine, image, load_companion(), save=True))
    if finished.returncode:
        raise LoadFailed(f"the image ended with status {finished.returncode}; its output is above")
    if LOADED not in run_pharo(evaluate(machine, image, CHECK)).stdout:
        raise LoadFailed(
            "the image ended with status 0, but when opened again it has no companion; its output is above"
        )


def run_pharo(command: list[str]) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end and copy its output to standard error; the result has it in `stdout`."""
    print(subprocess.list2cmdline(command), file=sys.stderr)
    output = []
    with (
        elapsed("Loading the companion:") as progress,
        subprocess.Popen(  # noqa: S603 - the user's own virtual machine
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
        ) as process,
    ):
        for line in process.stdout or ():
            progress.clear()
            sys.stderr.write(line)
            output.append(line)
    return subprocess.CompletedProcess(command, process.returncode, "".join(output))
