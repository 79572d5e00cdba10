"""The command that runs a practice image with the companion in it."""

import sys


def practice_command(start: str, say: str) -> list[str]:
    """The command for a practice image that runs until its standard input ends.

    `start` starts the companion, and the value of `say` is then printed as one line: both are Smalltalk.
    The companion is stopped in the end, for it to take its connection file away.

    Raises:
        FileNotFoundError: If the companion's sources are not there.
    """
    from pharo_mcp.image import companion_folder  # here: serving without a practice image starts faster

    stand_in = [sys.executable, "-m", "pharo_standin", "--load", companion_folder()]
    return [*stand_in, "--do", start, "--print", say, "--serve", "--do", "PharoMcp stop"]
