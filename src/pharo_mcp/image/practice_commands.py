"""The command that runs a practice image with the companion in it."""

import os
import sys
from collections.abc import Sequence

from .loading import companion_folder

COMPANION = ("PharoMcp-Model", "PharoMcp-Server")
"""The packages of BaselineOfPharoMcp>>defaultGroups, in an image without menus."""
START = """[ {start} ] on: Error do: [ :error |
    Stdio stderr nextPutAll: 'pharo-mcp: the practice image cannot start: ' , error messageText; lf; flush.
    Smalltalk exit: 1 ]"""
"""Smalltalk that starts the companion, or ends the image with a sentence instead of a stack."""


def practice_command(start: str, say: str, folders: Sequence[str] = (), name: str = "practice") -> list[str]:
    """The command for a practice image that runs until a signal, or the end of a pipe that is its input.

    `start` starts the companion, and the value of `say` is then printed as one line: both are Smalltalk.
    The Tonel packages in `folders` are loaded before anything starts; `name` is the name of the image. Of the
    companion it has what other images load by default, so not its tests.
    The companion is stopped at the end, so that it removes its connection file.

    Raises:
        FileNotFoundError: If the companion's sources are missing.
    """
    companion = [os.path.join(companion_folder(), package) for package in COMPANION]
    loads = [word for folder in companion for word in ("--preload", folder)]
    loads += [word for folder in folders for word in ("--load", folder)]
    serving = ["--do", START.format(start=start), "--print", say, "--serve", "--do", "PharoMcp stop"]
    return [sys.executable, "-m", "pharo_practice", "--name", name, *loads, *serving]
