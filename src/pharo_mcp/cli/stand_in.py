"""`pharo-mcp stand-in`: the practice image in the foreground."""

import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from pharo_mcp.app import practice_command

SAY_WHERE = "'The practice image answers at ' , PharoMcp current url"


def run(options: Mapping[str, Any]) -> int:
    """Become the practice image, with the Tonel packages of some folders in it.

    Answers its exit status where one cannot become another program.
    """
    port: int | None = options.get("port")
    if port and (why := why_taken(port)):
        print(f"pharo-mcp: port {port} cannot be listened on: {why}; choose another", file=sys.stderr)
        return 1
    start = f"PharoMcp startOn: {port}" if port else "PharoMcp start"
    try:
        command = practice_command(start, SAY_WHERE, options["load"])
    except FileNotFoundError as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 1
    if os.name == "posix":
        os.execv(command[0], command)  # noqa: S606 - our own program; so signals and status are its own
    return subprocess.call(command)  # noqa: S603 - the same


def why_taken(port: int) -> str | None:
    """Why nobody can listen on a port; None if one can.

    Asked before the image is: it would answer with a stack of Smalltalk.
    """
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        return os.strerror(error.errno or 0)
    return None
