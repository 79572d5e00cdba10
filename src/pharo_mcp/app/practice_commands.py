"""The command that runs a practice image with the companion in it."""

import sys
from collections.abc import Sequence


def practice_command(start: str, say: str, folders: Sequence[str] = ()) -> list[str]:
    """The command for a practice image that runs until its standard input ends.

    `start` starts the companion, and the value of `say` is then printed as one line: both are Smalltalk.
    The Tonel packages in `folders` are loaded before anything starts.
    The companion is stopped at the end, so that it removes its connection file.

    Raises:
        FileNotFoundError: If the companion's sources are missing.
    """
    from pharo_mcp.image import companion_folder  # here: serving without a practice image starts faster

    loads = [word for folder in (companion_folder(), *folders) for word in ("--load", folder)]
    serving = ["--do", start, "--print", say, "--serve", "--do", "PharoMcp stop"]
    return [sys.executable, "-m", "pharo_practice", *loads, *serving]
