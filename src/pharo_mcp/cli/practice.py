"""`pharo-mcp practice`: run the practice image in the foreground."""

import os
import socket
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

from pharo_mcp.app import practice_command

URL_MESSAGE = "'The practice image is listening at ' , PharoMcp current url"
"""A Smalltalk expression for the line to print once the companion has started."""


def run(options: Mapping[str, Any]) -> int:
    """Replace this process with the practice image, with the Tonel packages of some folders loaded.

    Where a process cannot be replaced, run a child process and return its exit status.
    """
    port: int | None = options.get("port")
    if port and (reason := why_unavailable(port)):
        print(f"pharo-mcp: cannot listen on port {port}: {reason}. Choose another port", file=sys.stderr)
        return 1
    start = f"PharoMcp startOn: {port}" if port else "PharoMcp start"
    try:
        command = practice_command(start, URL_MESSAGE, options["load"])
    except FileNotFoundError as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 1
    if os.name == "posix":
        os.execv(command[0], command)  # noqa: S606 - our own program; signals reach it directly
    return subprocess.call(command)  # noqa: S603 - the same


def why_unavailable(port: int) -> str | None:
    """Why no program can listen on a port; None if one can.

    Checked before the image starts, which would only print a Smalltalk stack.
    """
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        return os.strerror(error.errno or 0)
    return None
