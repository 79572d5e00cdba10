"""`pharo-mcp practice`: run practice images, in the foreground or the background."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from typing import Any

from pharo_mcp.image.errors.base import ImageError, to_the_user

from .ending import silence
from .host import Host
from .practice_background import start, stop
from .practice_images import PracticeFailed, command_of, unused_name


def run(options: Mapping[str, Any]) -> int:
    """Start a practice image with the Tonel packages of some folders loaded, or stop some."""
    try:
        return command_for(options)(Host.current().home, options)
    except (OSError, PracticeFailed) as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
    except ImageError as error:
        print(f"pharo-mcp: {to_the_user(error.message)}", file=sys.stderr)
    return 1


def command_for(options: Mapping[str, Any]) -> Callable[[str, Mapping[str, Any]], int]:
    """What does what the options ask for."""
    if "stop" not in options and "detach" not in options:
        return run_in_foreground
    silence()
    return stop if "stop" in options else start


def run_in_foreground(home: str, options: Mapping[str, Any]) -> int:
    """Replace this process with the practice image, which does not wait for a reader of its output.

    Where a process cannot be replaced, run a child process and return its exit status.
    """
    python, _, *module = command_of(unused_name(home, options.get("name")), options)
    command = [python, "-m", "pharo_mcp.standard_error", *module]
    if os.name == "posix":
        os.execv(command[0], command)  # noqa: S606 - our own program; signals reach it directly
    return subprocess.call(command)  # noqa: S603 - the same
