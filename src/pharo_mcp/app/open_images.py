"""Check whether a running program has an image open: loading into such an image would lose work."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from glob import glob

from pharo_mcp.times import OPEN_FILES_SECONDS


def is_open(image: str) -> bool:
    """Whether a program has the image or its changes file open, as every running image does.

    Best effort: if the system offers no way to find out, the image counts as closed.
    """
    files = [os.path.realpath(path) for path in files_of(image) if os.path.exists(path)]
    if os.path.isdir("/proc/self/fd"):
        return bool(set(files) & set(_open_files()))
    if lsof := shutil.which("lsof"):
        return any(_is_listed(lsof, file) for file in files)
    return any(_is_locked(file) for file in files)


def files_of(image: str) -> tuple[str, str]:
    """The files that an image writes: its changes, and itself when it is saved."""
    return os.path.splitext(image)[0] + ".changes", image


def _open_files() -> Iterable[str]:
    """The files that are open in any process that we are allowed to inspect (Linux)."""
    for link in glob("/proc/[0-9]*/fd/*"):
        try:
            yield os.readlink(link)
        except OSError:
            continue


def _is_listed(lsof: str, file: str) -> bool:
    command = [lsof, "-t", "--", file]
    listing = subprocess.run(command, capture_output=True, timeout=OPEN_FILES_SECONDS, check=False)  # noqa: S603
    return bool(listing.stdout.strip())


def _is_locked(file: str) -> bool:
    """Whether the file cannot be renamed: Windows refuses to rename an open file."""
    try:
        os.rename(file, file)
    except OSError:
        return True
    return False
