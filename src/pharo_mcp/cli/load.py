"""`pharo-mcp load`: put the companion into an image."""

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

SUFFIX = "-mcp"
"""What the copy of an image is called, beside its own name."""
LOOK = "'companion: ' , (Smalltalk includesKey: #PharoMcp) printString"
FOUND = "companion: true"
"""How an image is asked whether it has one, and what it prints: a status of 0 proves nothing."""


class NotLoaded(Exception):
    """Nothing was loaded; the sentence says why and what to do."""


def run(options: Mapping[str, str]) -> int:
    """Print how to load it, or load it into the image that is named."""
    if "image" not in options:
        if "in_place" in options:
            print("pharo-mcp: --in-place is for an image: give --image, too", file=sys.stderr)
            return 2
        print(load_and_start())
        print("Evaluate this in a Playground of the image to work in.", file=sys.stderr)
        return 0
    try:
        image = closed(options["image"])
        machine = machine_for(Host.current(), image, options.get("vm"))
        if "in_place" in options:
            load(machine, image)
        else:
            image = load_copy(machine, image)
    except (NotLoaded, OSError, LookupError) as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 1
    print(f"The companion is in {image}. Start it with: pharo-mcp launch --image '{image}'")
    return 0


def closed(image: str) -> str:
    """The path of an image that is there, and that nobody works in."""
    if not os.path.isfile(image):
        raise NotLoaded(f"there is no image {image}")
    if not image.endswith(".image"):
        raise NotLoaded(f"{image} is no image: its name does not end in .image")
    if is_open(image):
        raise NotLoaded(
            f"{image} is open. Nothing was loaded: what is not saved there would be lost. Evaluate in it "
            "what `pharo-mcp load` prints, or close it and try again."
        )
    return os.path.abspath(image)


def load_copy(machine: str, image: str) -> str:
    """Load into a copy, and answer it; it does not stay if that fails."""
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
    """A copy of an image and its changes, beside it; nothing that is there is written over."""
    stem = os.path.splitext(image)[0]
    copy = f"{stem}{SUFFIX}.image"
    if os.path.exists(copy):
        raise NotLoaded(
            f"{copy} is there already: it is the copy that loading makes. Remove it, or load into the image "
            "itself with --in-place (loading saves it)."
        )
    for extension in (".changes", ".image"):
        if os.path.exists(stem + extension):
            shutil.copy2(stem + extension, stem + SUFFIX + extension)
    return copy


def load(machine: str, image: str) -> None:
    """Have the image load the companion, save itself and quit; see that it is there then."""
    done = run_pharo(evaluate(machine, image, load_companion(), save=True))
    if done.returncode:
        raise NotLoaded(f"the image ended with status {done.returncode}; what it said is above")
    if FOUND not in run_pharo(evaluate(machine, image, LOOK)).stdout:
        raise NotLoaded("the image ended well, but opened again it has no companion; what it said is above")


def run_pharo(command: list[str]) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end and show what it says; `stdout` has it, too."""
    print(subprocess.list2cmdline(command), file=sys.stderr)
    said = []
    with subprocess.Popen(  # noqa: S603 - the person's own virtual machine
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
    ) as process:
        for line in process.stdout or ():
            sys.stderr.write(line)
            said.append(line)
    return subprocess.CompletedProcess(command, process.returncode, "".join(said))
