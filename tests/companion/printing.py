"""Print what an expression answers in a practice image with the companion, or a part of it."""

import subprocess
import sys
from pathlib import Path

from programs import PATIENCE, environment

COMPANION = Path(__file__).parents[2] / "pharo"


def printed(home: Path, expression: str, *options: str, load: Path = COMPANION) -> str:
    """Return what is printed, or what is wrong; the options are those of the practice image's program."""
    command = ["-m", "pharo_practice", "--load", str(load), *options, "--print", expression]
    run = subprocess.run(
        [sys.executable, *command],
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    return run.stdout.strip() or run.stderr
