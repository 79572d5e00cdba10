"""Whether a running image has a file open: to load into it behind its back would lose somebody's work."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from glob import glob

PATIENCE = 10


def is_open(image: str) -> bool:
    """Whether a program has the image's changes open, as every running image has.

    Best effort: where nothing on this system can tell, it is taken for closed.
    """
    changes = os.path.splitext(image)[0] + ".changes"
    files = [os.path.realpath(path) for path in (changes, image) if os.path.exists(path)]
    if os.path.isdir("/proc/self/fd"):
        return bool(set(files) & set(_open_files()))
    if lsof := shutil.which("lsof"):
        return any(_is_listed(lsof, file) for file in files)
    return any(_is_locked(file) for file in files)


def _open_files() -> Iterable[str]:
    """The files that are open in any process that we may look at (Linux)."""
    for link in glob("/proc/[0-9]*/fd/*"):
        try:
            yield os.readlink(link)
        except OSError:
            continue


def _is_listed(lsof: str, file: str) -> bool:
    command = [lsof, "-t", "--", file]
    told = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)  # noqa: S603
    return bool(told.stdout.strip())


def _is_locked(file: str) -> bool:
    """Windows does not rename what is open."""
    try:
        os.rename(file, file)
    except OSError:
        return True
    return False
