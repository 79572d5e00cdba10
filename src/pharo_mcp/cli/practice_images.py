"""The practice images that run, and the commands that run more of them."""

import os
import socket
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from pharo_mcp.image.connection.connection_files import (
    ConnectionFile,
    connection_files,
    folder_in,
    is_running,
)
from pharo_mcp.image.practice_commands import practice_command

URL_MESSAGE = "'{image} is listening at ' , PharoMcp current url"
"""A Smalltalk expression for the line to print once the companion has started."""
STARTED = """{start}.
    [ | absent |
    absent := 0.
    [ absent > 2 ] whileFalse: [
        (Delay forSeconds: 1) wait.
        absent := PharoMcp current ifNil: [ absent + 1 ] ifNotNil: [ 0 ] ].
    Smalltalk exit: 0 ] forkAt: Processor userBackgroundPriority"""
"""Smalltalk that starts the companion, and ends the image when somebody has stopped it in there.

Not at once: it is also stopped, and started again, to open the image for reading only.
"""
NAME = "practice"


class PracticeFailed(Exception):
    """No practice image was started; the message says why and what to do next."""


def command_of(name: str, options: Mapping[str, Any]) -> list[str]:
    """The command that runs a practice image of that name.

    Raises:
        PracticeFailed: If its port or the current folder is unavailable.
        FileNotFoundError: If the companion's sources are missing.
    """
    try:
        os.getcwd()
    except OSError as error:
        raise PracticeFailed("the current folder was deleted: change to another one first") from error
    port: int = options.get("port", 0)
    if port and (reason := why_unavailable(port)):
        raise PracticeFailed(f"cannot listen on port {port}: {reason}. Choose another port, or 0 for any")
    start = STARTED.format(start=f"PharoMcp startOn: {port}" if port else "PharoMcp start")
    image = "The practice image" if name == NAME else f"The practice image {name}"
    say = URL_MESSAGE.format(image=image.replace("'", "''"))
    return practice_command(start, say, options.get("load", ()), name)


def why_unavailable(port: int) -> str | None:
    """Why no program can listen on a port; None if one can.

    Checked before the image starts, so that nothing is started in vain.
    """
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        return os.strerror(error.errno or 0)
    return None


def unused_name(home: str, wanted: str | None = None) -> str:
    """The name of a new practice image: the one wanted, or the first that no running image has.

    Raises:
        PracticeFailed: If a running image has the name.
        ImageError: If others could have written the connection files.
    """
    taken = {file.name for file in running_images(home)}
    if wanted in taken:
        raise PracticeFailed(f"an image named {wanted} is running: choose another --name, or stop it first")
    names = (NAME if number == 1 else f"{NAME}-{number}" for number in count(1))
    return wanted or next(name for name in names if name not in taken)


def running_images(home: str) -> Iterator[ConnectionFile]:
    """The connection files of images whose process may be running."""
    files = connection_files(folder_in(home))
    return (file for file in files if file.pid is None or is_running(file.pid))
