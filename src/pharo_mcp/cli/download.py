"""Download a Pharo virtual machine and image from Pharo's own site."""

import os
import platform
import shutil
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from glob import escape, glob
from http.client import HTTPException
from typing import IO
from urllib.request import urlopen

from pharo_mcp.times import DOWNLOAD_STALL_SECONDS

from .host import Host
from .installed import PROGRAMS
from .progress import Progress

SITE = "https://files.pharo.org"
SYSTEM_NAMES = {"linux": "Linux", "macos": "Darwin", "windows": "Windows"}
ARCHITECTURES = {"amd64": "x86_64", "x64": "x86_64", "aarch64": "arm64"}
"""Pharo's names for the processors that Python names otherwise."""
CHUNK_SIZE = 1 << 18


class DownloadFailed(Exception):
    """Pharo could not be downloaded; the message says why and what to do next."""


def download(host: Host, version: str, site: str = SITE) -> tuple[str, str]:
    """Download a new image of a version such as `13`, and its virtual machine unless already present.

    Returns the paths of the virtual machine and the image.
    """
    number = f"{version}0"
    folder = host.expand(f"~/.pharo-mcp/pharo/{number}")
    processor = platform.machine()
    architecture = ARCHITECTURES.get(processor.lower(), processor)
    vm_url = f"{site}/get-files/{number}/pharo-vm-{SYSTEM_NAMES[host.system]}-{architecture}-stable.zip"
    try:
        vm = os.path.join(folder, "vm")
        if not os.path.isdir(vm):
            with removed_on_failure(vm):
                fetch(vm_url, vm)
                program_in(host, vm)
        image = unused_folder(folder)
        with removed_on_failure(image):
            fetch(f"{site}/image/{number}/latest-64.zip", image)
            return program_in(host, vm), rename_image(image, f"Pharo{version}")
    except (OSError, HTTPException, zipfile.BadZipFile) as error:
        reason = getattr(error, "reason", error)
        raise DownloadFailed(
            f"Pharo {version} could not be downloaded from {site}: {reason}. Without a network connection, "
            "use an image on this computer (--image) or the practice image (pharo-mcp practice)"
        ) from error
    finally:
        for empty in (folder, os.path.dirname(folder), host.expand("~/.pharo-mcp")):
            with suppress(OSError):  # it has something
                os.rmdir(empty)


@contextmanager
def removed_on_failure(folder: str) -> Iterator[None]:
    """Remove the folder if the block fails or is interrupted."""
    try:
        yield
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def fetch(url: str, folder: str) -> None:
    """Download a zip file and unpack it into a new folder, which is not created if anything fails."""
    parent = os.path.dirname(folder)
    os.makedirs(parent, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=parent) as temporary:
        archive = os.path.join(temporary, "archive.zip")
        with urlopen(url, timeout=DOWNLOAD_STALL_SECONDS) as response, open(archive, "wb") as file:  # noqa: S310 - https
            copy(response, file, int(response.headers.get("Content-Length") or 0), url.rpartition("/")[2])
        unpacked = os.path.join(temporary, "unpacked")
        unpack(archive, unpacked)
        os.rename(unpacked, folder)


def copy(source: IO[bytes], target: IO[bytes], size: int, title: str) -> None:
    """Copy all bytes and show the progress."""
    done, shown = 0, Progress(f"{title}:")
    while chunk := source.read(CHUNK_SIZE):
        target.write(chunk)
        done += len(chunk)
        shown.show(f"{done * 100 // size} % of {size / 1e6:.0f} MB" if size else f"{done / 1e6:.0f} MB")
    shown.clear()
    if size and done != size:
        raise HTTPException(f"the connection ended after {done} of {size} bytes")


def unpack(archive: str, folder: str) -> None:
    """Unpack a zip file and keep the file modes stored in it."""
    with zipfile.ZipFile(archive) as file:
        for member in file.infolist():
            path = file.extract(member, folder)
            if mode := (member.external_attr >> 16) & 0o777:
                os.chmod(path, mode | 0o600)


def unused_folder(parent: str) -> str:
    """The path of a new folder for an image."""
    number = 1
    while os.path.exists(folder := os.path.join(parent, f"image-{number}")):
        number += 1
    return folder


def program_in(host: Host, folder: str) -> str:
    """The virtual machine in an unpacked folder."""
    for name in PROGRAMS[host.system]:
        if os.path.isfile(program := os.path.join(folder, name)):
            return program
    raise DownloadFailed(
        f"the download contains no {PROGRAMS[host.system][0]}: try again, or use another with --vm"
    )


def rename_image(folder: str, name: str) -> str:
    """Rename the image in a folder and its changes file; return the new path."""
    found = glob(f"{escape(folder)}/*.image")
    if not found:
        raise DownloadFailed("the download contains no image: try again, or choose one with --image")
    stem = os.path.splitext(found[0])[0]
    for extension in (".changes", ".image"):
        if os.path.exists(stem + extension):
            shutil.move(stem + extension, os.path.join(folder, name + extension))
    return os.path.join(folder, f"{name}.image")
