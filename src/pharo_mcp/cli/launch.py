"""`pharo-mcp launch`: start an image with the companion, and stop it at the end or later."""

import os
import shutil
import sys
from collections.abc import Mapping
from time import monotonic
from zlib import crc32

from pharo_mcp.app.image_process import how_it_ended
from pharo_mcp.app.open_images import is_open
from pharo_mcp.app.session import end_launched, is_left, open_launch
from pharo_mcp.image.connection.connection_files import folder_in
from pharo_mcp.image.errors.base import ImageError, to_the_user
from pharo_mcp.times import LAUNCHED_ANSWER_SECONDS, PROGRESS_SECONDS

from .download import DownloadFailed, download
from .host import Host
from .installed import image_for, machine_for
from .progress import elapsed


def run(options: Mapping[str, str]) -> int:
    """Start the image, print its URL, and stop it at the end; or stop what was started before."""
    if "new" in options and "image" in options:
        print("pharo-mcp: --new and --image exclude each other: use one of them", file=sys.stderr)
        return 2
    host = Host.current()
    try:
        if "stop" in options:
            return stop(host, options.get("image"))
        machine, image = installation(host, options)
        return start(host, machine, image, options)
    except ImageError as error:
        print(f"pharo-mcp: {to_the_user(error.message)}", file=sys.stderr)
    except (LookupError, DownloadFailed) as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
    return 1


def start(host: Host, machine: str, image: str, options: Mapping[str, str]) -> int:
    """Start the image and print its URL; wait until it ends or a signal arrives, or let it go on.

    Raises:
        ImageError: If it does not answer; it was stopped then.
    """
    log = log_of(host, image) if "detach" in options else None
    headless = "headless" in options
    launched = open_launch(machine, image, folder_in(host.home), headless=headless, log=log)
    answered = goes_on = False
    try:
        with elapsed(f"Starting {os.path.basename(image)}:"):
            launched.start()
            while not launched.wait(PROGRESS_SECONDS):
                continue
        connection = launched.locate(monotonic() + LAUNCHED_ANSWER_SECONDS)
        connection.close()
        answered = True
        listening = f"{connection.status.name} is listening at {connection.address.url}."
        if log:
            launched.leave()
            goes_on = True
            print(f"{listening} Its output is in {log}.")
            print(f"Stop it with: pharo-mcp launch --stop --image '{image}'")
            return 0
        print(f"{listening} Ctrl-C stops it.", flush=True)
        status = launched.join()
        if status:
            print(f"pharo-mcp: {image} does not run any more: {how_it_ended(status)}.", file=sys.stderr)
        return status if status >= 0 else 128 - status
    finally:
        if not goes_on:
            launched.stop()
        if "new" in options and not answered:
            shutil.rmtree(os.path.dirname(image), ignore_errors=True)  # nobody has used it


def log_of(host: Host, image: str) -> str:
    """The file for the output of an image without a terminal, named by the image and its folder."""
    name = os.path.splitext(os.path.basename(image))[0]
    return os.path.join(host.home, ".pharo-mcp", "launched", f"{name}-{crc32(image.encode()):08x}.log")


def stop(host: Host, path_or_name: str | None) -> int:
    """Stop the images that `launch --detach` has started, or one of them.

    Raises:
        LookupError: If the one named is none of these.
    """
    image = image_for(host, path_or_name) if path_or_name else None
    stopped = end_launched(folder_in(host.home), image)
    for each in stopped:
        print(f"{each} was stopped.")
    if image and not stopped:
        raise LookupError(
            f"{image} was not started by `launch --detach`, or has ended: quit it where it runs"
        )
    if not stopped:
        print("No image that `launch --detach` has started is running.", file=sys.stderr)
    return 0


def installation(host: Host, options: Mapping[str, str]) -> tuple[str, str]:
    """The virtual machine and the image to start.

    Raises:
        LookupError: If one of them is not found, or the image is open.
        DownloadFailed: If they should be downloaded and cannot be.
    """
    if "new" in options:
        machine, image = download(host, options["new"])
        return options.get("vm") or machine, image
    image = require_closed(host, image_for(host, options.get("image")))
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


def require_closed(host: Host, image: str) -> str:
    """Return the image if no running program has it open, or only because `launch` was killed.

    Raises:
        LookupError: If it is open.
    """
    if is_open(image) and not is_left(image, folder_in(host.home)):
        raise LookupError(
            f"{image} is already open. Nothing was started: two running copies would damage its changes "
            "file. Evaluate in it what `pharo-mcp load` prints, or close it and try again"
        )
    return image
