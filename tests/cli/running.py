"""Run commands as a user does, in a temporary home folder."""

import subprocess
from pathlib import Path

from programs import COMMAND, PATIENCE, environment


def run(
    *arguments: str, home: Path, stdin: str | None = None, **environ: str
) -> "subprocess.CompletedProcess[str]":
    """Run pharo-mcp to its end; `stdin` is its standard input."""
    return subprocess.run(
        [*COMMAND, *arguments],
        env=environment(home, **environ),
        input=stdin or "",
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
