"""`pharo-mcp stand-in`: the practice image in the foreground."""

import os
import subprocess
import sys

from pharo_mcp.app import practice_command

SAY_WHERE = "'The practice image answers at ' , PharoMcp current url"


def stand_in(port: int | None) -> int:
    """Become the practice image; its exit status where one cannot become another program."""
    try:
        command = practice_command(f"PharoMcp startOn: {port}" if port else "PharoMcp start", SAY_WHERE)
    except FileNotFoundError as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 1
    if os.name == "posix":
        os.execv(command[0], command)  # noqa: S606 - our own program; so signals and status are its own
    return subprocess.call(command)  # noqa: S603 - the same
