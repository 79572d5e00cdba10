"""The command that runs a practice image with the companion in it."""

import os
import sys

import pharo_mcp


def companion_folder() -> str:
    """Where the companion's sources are: beside us in an installed package, else in the repository.

    Raises:
        FileNotFoundError: If they are in neither place.
    """
    package = os.path.dirname(os.path.abspath(pharo_mcp.__file__))
    for folder in (os.path.join(package, "pharo"), os.path.join(package, "..", "..", "pharo")):
        if os.path.isdir(folder):
            return os.path.normpath(folder)
    raise FileNotFoundError(f"the companion's sources are neither in {package} nor in a repository around it")


def practice_command(start: str, say: str) -> list[str]:
    """The command for a practice image that runs until its standard input ends.

    `start` starts the companion, and the value of `say` is then printed as one line: both are Smalltalk.
    The companion is stopped in the end, for it to take its connection file away.
    """
    stand_in = [sys.executable, "-m", "pharo_standin", "--load", companion_folder()]
    return [*stand_in, "--do", start, "--print", say, "--serve", "--do", "PharoMcp stop"]
