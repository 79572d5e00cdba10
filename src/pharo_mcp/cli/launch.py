"""`pharo-mcp launch`: an image with the companion, for as long as this runs."""

import os
import signal
import sys
from collections.abc import Mapping
from time import monotonic
from types import FrameType

from pharo_mcp.app import is_open, open_launch
from pharo_mcp.image import ImageError, folder_in

from .download import NoDownload, download
from .host import Host
from .installed import images_on_disk, machine_for

PATIENCE = 10.0
"""Seconds for the first word of an image that has started."""
SHOWN = 5
"""Images that are named where none was chosen."""


def run(options: Mapping[str, str]) -> int:
    """Start it, say where it answers, and wait until it is closed or we are ended; then end it, too."""
    if "new" in options and "image" in options:
        print("pharo-mcp: give one of --new and --image", file=sys.stderr)
        return 2
    host = Host.current()
    try:
        machine, image = installation(host, options)
    except (LookupError, NoDownload) as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 1
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, leave)
    launched = open_launch(machine, image, folder_in(host.home), headless="headless" in options)
    try:
        begun = monotonic()
        launched.start()
        while not launched.wait(1.0):
            print(f"\rStarting {image}: {monotonic() - begun:.0f} s ", end="", file=sys.stderr, flush=True)
        contact = launched.locate(monotonic() + PATIENCE)
        contact.close()
        print(file=sys.stderr)
        print(f"{contact.status.name} answers at {contact.address.url}. Ctrl-C ends it.", flush=True)
        return launched.join()
    except ImageError as error:
        print(f"\npharo-mcp: {error.message}", file=sys.stderr)
        return 1
    finally:
        launched.stop()


def leave(number: int, _: FrameType | None) -> None:
    """Have all that was begun be ended."""
    raise SystemExit(128 + number)


def installation(host: Host, options: Mapping[str, str]) -> tuple[str, str]:
    """The virtual machine and the image to start.

    Raises:
        LookupError: If either is not there, or the image is open.
        NoDownload: If they should be fetched and cannot be.
    """
    if "new" in options:
        machine, image = download(host, options["new"])
        return options.get("vm") or machine, image
    image = closed(image_for(host, options.get("image")))
    return machine_for(host, image, options.get("vm")), image


def to_launch(options: Mapping[str, object]) -> dict[str, str]:
    """The settings that serving needs for an image of its own.

    Raises:
        LookupError: If the image or a virtual machine for it is not there.
    """
    host = Host.current()
    image = image_for(host, str(options["launch"]))
    given = options.get("vm")
    return {"launch": image, "vm": machine_for(host, image, str(given) if given else None)}


def closed(image: str) -> str:
    """An image that may be started.

    Raises:
        LookupError: If it is open.
    """
    if is_open(image):
        raise LookupError(
            f"{image} is open already. Nothing was started: two at once would spoil each other's changes. "
            "Evaluate in it what `pharo-mcp load` prints, or close it and try again"
        )
    return image


def image_for(host: Host, wanted: str | None) -> str:
    """The image that a path or a name means; without, the only one on disk."""
    if wanted and os.path.isfile(wanted):
        return os.path.abspath(wanted)
    found = images_on_disk(host)
    meant = [image for image in found if wanted in (None, os.path.splitext(os.path.basename(image))[0])]
    match meant:
        case [image]:
            return image
        case [] if wanted:
            raise LookupError(f"there is no image {wanted}: give the path of its file")
        case []:
            raise LookupError("no image was found: give one with --image, or have one fetched with --new 13")
    names = "\n    ".join(meant[:SHOWN])
    raise LookupError(f"{len(meant)} images were found: give one with --image\n    {names}")
