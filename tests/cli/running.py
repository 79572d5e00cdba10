"""Run commands as a user does, in a temporary home folder."""

import subprocess
from pathlib import Path

from programs import COMMAND, PATIENCE, environment


def run(
    *arguments: str, home: Path, stdin: str | None = None, folder: Path | str | None = None, **environ: str
) -> "subprocess.CompletedProcess[str]":
    """Run pharo-mcp to its end, with a standard input, in a folder."""
    return subprocess.run(
        [*COMMAND, *arguments],
        env=environment(home, **environ),
        input=stdin or "",
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
