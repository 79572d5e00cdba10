"""Commands as a person runs them, in a home folder of its own."""

import subprocess
from pathlib import Path

from programs import COMMAND, PATIENCE, environment


def run(
    *arguments: str, home: Path, given: str | None = None, **environ: str
) -> "subprocess.CompletedProcess[str]":
    """Run pharo-mcp to its end; `given` is its standard input."""
    return subprocess.run(
        [*COMMAND, *arguments],
        env=environment(home, **environ),
        input=given or "",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
