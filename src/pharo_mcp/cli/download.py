"""Pharo from its own site: a virtual machine and a new image."""

import os
import platform
import shutil
import sys
import tempfile
import zipfile
from glob import escape, glob
from http.client import HTTPException
from typing import IO
from urllib.request import urlopen

from .host import Host
from .installed import PROGRAMS

SITE = "https://files.pharo.org"
SYSTEM_NAMES = {"linux": "Linux", "macos": "Darwin", "windows": "Windows"}
ARCHITECTURES = {"amd64": "x86_64", "x64": "x86_64", "aarch64": "arm64"}
"""What Pharo calls what Python calls otherwise."""
CHUNK = 1 << 18
PATIENCE = 30


class NoDownload(Exception):
    """Nothing was fetched; the sentence says why and what to do."""


def download(host: Host, version: str, site: str = SITE) -> tuple[str, str]:
    """The virtual machine, fetched if it is not there yet, and a new image of a version such as `13`."""
    number = f"{version}0"
    folder = host.expand(f"~/.pharo-mcp/pharo/{number}")
    processor = platform.machine()
    architecture = ARCHITECTURES.get(processor.lower(), processor)
    machine = f"{site}/get-files/{number}/pharo-vm-{SYSTEM_NAMES[host.system]}-{architecture}-stable.zip"
    try:
        vm = os.path.join(folder, "vm")
        if not os.path.isdir(vm):
            fetch(machine, vm)
        image = free_folder(folder)
        fetch(f"{site}/image/{number}/latest-64.zip", image)
    except (OSError, HTTPException, zipfile.BadZipFile) as error:
        why = getattr(error, "reason", error)
        raise NoDownload(
            f"Pharo {version} could not be fetched from {site}: {why}. Without a network, give an image "
            "that is here with --image, or try the practice image: pharo-mcp stand-in"
        ) from error
    return program_in(host, vm), named(image, f"Pharo{version}")


def fetch(url: str, folder: str) -> None:
    """Fetch a zip file and unpack it into a folder that is not there yet; all of it or nothing."""
    parent = os.path.dirname(folder)
    os.makedirs(parent, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=parent) as workshop:
        archive = os.path.join(workshop, "archive.zip")
        with urlopen(url, timeout=PATIENCE) as answer, open(archive, "wb") as file:  # noqa: S310 - https
            copy(answer, file, int(answer.headers.get("Content-Length") or 0), url.rpartition("/")[2])
        unpacked = os.path.join(workshop, "unpacked")
        unpack(archive, unpacked)
        os.rename(unpacked, folder)


def copy(source: IO[bytes], target: IO[bytes], size: int, title: str) -> None:
    """Copy all bytes, and show how far that is."""
    done = 0
    while chunk := source.read(CHUNK):
        target.write(chunk)
        done += len(chunk)
        share = f"{done * 100 // size:3d} % of {size / 1e6:.0f} MB" if size else f"{done / 1e6:.0f} MB"
        print(f"\r{title}: {share} ", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    if size and done != size:
        raise HTTPException(f"the connection ended after {done} of {size} bytes")


def unpack(archive: str, folder: str) -> None:
    """Unpack a zip file, with the modes that it has for its files."""
    with zipfile.ZipFile(archive) as file:
        for member in file.infolist():
            path = file.extract(member, folder)
            if mode := (member.external_attr >> 16) & 0o777:
                os.chmod(path, mode | 0o600)


def free_folder(parent: str) -> str:
    """The path of a folder for one more image."""
    number = 1
    while os.path.exists(folder := os.path.join(parent, f"image-{number}")):
        number += 1
    return folder


def program_in(host: Host, folder: str) -> str:
    """The virtual machine in an unpacked folder."""
    for name in PROGRAMS[host.system]:
        if os.path.isfile(program := os.path.join(folder, name)):
            return program
    raise NoDownload(f"what was fetched holds no {PROGRAMS[host.system][0]}: remove {folder} and try again")


def named(folder: str, name: str) -> str:
    """The image in a folder, renamed, its changes with it."""
    found = glob(f"{escape(folder)}/*.image")
    if not found:
        raise NoDownload(f"what was fetched holds no image: remove {folder} and try again")
    stem = os.path.splitext(found[0])[0]
    for extension in (".changes", ".image"):
        if os.path.exists(stem + extension):
            shutil.move(stem + extension, os.path.join(folder, name + extension))
    return os.path.join(folder, f"{name}.image")
