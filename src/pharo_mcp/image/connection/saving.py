"""Images that are being saved: their companions are closed meanwhile, and open again at another address.

Before, a companion writes a file into the folder of connection files. When it is open again, it deletes that.
"""

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from glob import escape, glob
from time import monotonic, sleep, time
from typing import NamedTuple

from pharo_mcp.image.errors.connecting import ImageSaving
from pharo_mcp.image.replies.shapes import read
from pharo_mcp.times import LONGEST_SAVE_SECONDS, SAVING_PAUSE_SECONDS, SAVING_SECONDS

from .connection_files import ConnectionFile, check_folder, connection_files, is_gone, read_own_file

ENDING = ".saving"


class SavedImage(NamedTuple):
    """An image that is being saved; `url` is where it was before."""

    name: str
    system: str
    image: str
    url: str
    pid: int | None = None
    host: str | None = None
    session: str = ""


def images_being_saved(folder: str) -> list[SavedImage]:
    """The images that are being saved, by their files in the folder of connection files.

    Raises:
        FolderUntrusted: If other users could have written them.
    """
    check_folder(os.path.dirname(folder))
    check_folder(folder)
    found = []
    for path in glob(os.path.join(escape(folder), f"*{ENDING}")):
        with suppress(OSError, ValueError, RecursionError):
            if _is_saving(saved := read(SavedImage, read_own_file(path)), path):
                found.append(saved)
    if not found:
        return []
    files = connection_files(folder)
    return sorted(saved for saved in found if not any(_follows(file, saved) for file in files))


def wait_until_saved(
    folder: str, meant: Callable[[Sequence[SavedImage]], Sequence[SavedImage]], until: float
) -> None:
    """Wait while an image is being saved that is meant, but not longer than until then.

    Raises:
        ImageSaving: If it still is.
    """
    begun = monotonic()
    end = min(until, begun + SAVING_SECONDS)
    while saved := meant(images_being_saved(folder)):
        if monotonic() + SAVING_PAUSE_SECONDS > end:
            raise ImageSaving(saved[0].name, monotonic() - begun)
        sleep(SAVING_PAUSE_SECONDS)


def _follows(file: ConnectionFile, saved: SavedImage) -> bool:
    """Whether an image was opened again that was being saved."""
    same = (file.pid, file.image) == (saved.pid, saved.image)
    return same and file.session != saved.session


def _is_saving(saved: SavedImage, path: str) -> bool:
    """Whether a file is not one that an image has left that has ended meanwhile; such a one is removed."""
    if time() - os.stat(path).st_mtime > LONGEST_SAVE_SECONDS:
        return False
    if not is_gone(saved.pid, saved.host):
        return True
    os.unlink(path)
    return False
