"""`pharo-mcp launch`: start an image with the companion, and stop it at the end."""

import os
import shutil
import sys
from collections.abc import Mapping
from time import monotonic

from pharo_mcp.app import how_it_ended, is_open, open_launch
from pharo_mcp.image import ImageError, folder_in, to_the_user
from pharo_mcp.times import LAUNCHED_ANSWER_SECONDS, PROGRESS_SECONDS

from .download import DownloadFailed, download
from .host import Host
from .installed import image_for, machine_for
from .progress import elapsed


def run(options: Mapping[str, str]) -> int:
    """Start the image, print its URL, wait until it ends or a signal arrives, and stop it."""
    if "new" in options and "image" in options:
        print("pharo-mcp: --new and --image exclude each other: use one of them", file=sys.stderr)
        return 2
    host = Host.current()
    try:
        machine, image = installation(host, options)
    except (LookupError, DownloadFailed) as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 1
    launched = open_launch(machine, image, folder_in(host.home), headless="headless" in options)
    answered = False
    try:
        with elapsed(f"Starting {os.path.basename(image)}:"):
            launched.start()
            while not launched.wait(PROGRESS_SECONDS):
                continue
        connection = launched.locate(monotonic() + LAUNCHED_ANSWER_SECONDS)
        connection.close()
        print(
            f"{connection.status.name} is listening at {connection.address.url}. Ctrl-C stops it.", flush=True
        )
        answered = True
        status = launched.join()
        if status:
            print(f"pharo-mcp: {image} does not run any more: {how_it_ended(status)}.", file=sys.stderr)
        return status if status >= 0 else 128 - status
    except ImageError as error:
        print(f"pharo-mcp: {to_the_user(error.message)}", file=sys.stderr)
        return 1
    finally:
        launched.stop()
        if "new" in options and not answered:
            shutil.rmtree(os.path.dirname(image), ignore_errors=True)  # nobody has used it


def installation(host: Host, options: Mapping[str, str]) -> tuple[str, str]:
    """The virtual machine and the image to start.

    Raises:
        LookupError: If one of them is not found, or the image is open.
        DownloadFailed: If they should be downloaded and cannot be.
    """
    if "new" in options:
        machine, image = download(host, options["new"])
        return options.get("vm") or machine, image
    image = require_closed(image_for(host, options.get("image")))
    return machine_for(host, image, options.get("vm")), image


def launch_settings(options: Mapping[str, object]) -> dict[str, str]:
    """The settings for serving an image that is started for the session.

    Raises:
        LookupError: If the image or a virtual machine for it is not found.
    """
    host = Host.current()
    image = image_for(host, str(options["launch"]))
    vm = options.get("vm")
    return {"launch": image, "vm": machine_for(host, image, str(vm) if vm else None)}


def require_closed(image: str) -> str:
    """Return the image if no running program has it open.

    Raises:
        LookupError: If it is open.
    """
    if is_open(image):
        raise LookupError(
            f"{image} is already open. Nothing was started: two running copies would damage its changes "
            "file. Evaluate in it what `pharo-mcp load` prints, or close it and try again"
        )
    return image
