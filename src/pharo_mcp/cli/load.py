"""`pharo-mcp load`: put the companion into an image."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping

from pharo_mcp.image import companion_repository, load_and_start

from .host import Host
from .installed import machine_for
from .open_images import is_open

SUFFIX = "-mcp"
"""What the copy of an image is called, beside its own name."""


class NotLoaded(Exception):
    """Nothing was loaded; the sentence says why and what to do."""


def run(options: Mapping[str, str]) -> int:
    """Print how to load it, or load it into the image that is named."""
    if "image" not in options:
        print(load_and_start())
        print("Evaluate this in a Playground of the image to work in.", file=sys.stderr)
        return 0
    try:
        image = ready(options["image"], in_place="in_place" in options)
        machine = machine_for(Host.current(), image, options.get("vm"))
        load(machine, image)
    except (NotLoaded, OSError, LookupError) as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 1
    print(f"The companion is in {image}. Start it with: pharo-mcp launch --image '{image}'")
    return 0


def ready(image: str, *, in_place: bool) -> str:
    """The image to load into: that one, or a copy of it, made now."""
    if not os.path.isfile(image):
        raise NotLoaded(f"there is no image {image}")
    if is_open(image):
        raise NotLoaded(
            f"{image} is open. Nothing was loaded: what is not saved there would be lost. Evaluate in it "
            "what `pharo-mcp load` prints, or close it and try again."
        )
    return os.path.abspath(image) if in_place else copy_of(os.path.abspath(image))


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
    """Have the image load the companion, save itself and quit; show what it says meanwhile."""
    install = ("metacello", "install", companion_repository(), "BaselineOfPharoMcp")
    command = (machine, "--headless", image, *install)
    print(subprocess.list2cmdline(command), file=sys.stderr)
    done = subprocess.run(  # noqa: S603 - the person's own virtual machine
        command, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False
    )
    if done.returncode:
        raise NotLoaded(f"the image ended with status {done.returncode}; what it said is above")
