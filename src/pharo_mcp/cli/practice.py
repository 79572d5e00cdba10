"""`pharo-mcp practice`: run practice images, in the foreground or the background."""

import os
import subprocess
import sys
from collections.abc import Mapping
from itertools import count, takewhile
from typing import Any

from pharo_mcp.app.practice_image import DetachedPractice
from pharo_mcp.app.processes import (
    ImageFailed,
    LaunchRecord,
    end_recorded,
    launch_records,
    make_folder,
    new_record,
    one_at_a_time,
)
from pharo_mcp.image.connection_files import connection_files, folder_in, is_running
from pharo_mcp.image.loading import practice_command

from .ending import CommandFailed, silence
from .installed import Host

URL_MESSAGE = "'{image} is listening at ' , PharoMcp current url"
"""A Smalltalk expression for the line to print once the companion has started."""
START = """PharoMcp start.
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


def run(options: Mapping[str, Any]) -> int:
    """Start a practice image with the Tonel packages of some folders loaded, or stop some."""
    home = Host.current().home
    records = os.path.join(home, ".pharo-mcp", "practice")
    if "stop" in options:
        return stop(home, records, options.get("name"))
    make_folder(records)
    if "detach" not in options:
        return run_in_foreground(home, records, options)
    silence()
    return start(home, records, options)


def command_of(name: str, options: Mapping[str, Any]) -> list[str]:
    """Return the command that runs a practice image of that name.

    Raises:
        CommandFailed: If the current folder is unavailable.
        FileNotFoundError: If the companion's sources are missing.
    """
    try:
        os.getcwd()
    except OSError as error:
        raise CommandFailed("the current folder was deleted: change to another one first") from error
    image = "The practice image" if name == NAME else f"The practice image {name}"
    say = URL_MESSAGE.format(image=image.replace("'", "''"))
    return practice_command(START, say, options.get("load", ()), name)


def unused_name(home: str, records: str, wanted: str | None) -> str:
    """Return the name of a new practice image: the one wanted, or the first that no running image has.

    Raises:
        CommandFailed: If a running image has the name.
        ImageError: If others could have written the connection files.
    """
    taken = {record.image for record in launch_records(records)}
    taken |= {file.name for file in connection_files(folder_in(home)) if not file.pid or is_running(file.pid)}
    if wanted in taken:
        raise CommandFailed(f"an image named {wanted} is running: choose another --name, or stop it first")
    names = (NAME if number == 1 else f"{NAME}-{number}" for number in count(1))
    return wanted or next(name for name in names if name not in taken)


def run_in_foreground(home: str, records: str, options: Mapping[str, Any]) -> int:
    """Replace this process with the practice image, which does not wait for a reader of its output.

    Where a process cannot be replaced, run a child process and return its exit status.
    """
    with one_at_a_time(records):
        name = unused_name(home, records, options.get("name"))
        python, _, *module = command_of(name, options)
        command = [python, "-m", "pharo_mcp.standard_error", *module]
        if os.name == "posix":
            with new_record(records) as (path, lock):
                LaunchRecord(path, name, os.getpid()).write()
                os.set_inheritable(lock, True)
                os.execv(command[0], command)  # noqa: S606 - our own program; signals reach it directly
        return subprocess.call(command)  # noqa: S603 - the same


def start(home: str, records: str, options: Mapping[str, Any]) -> int:
    """Start a practice image that goes on when we and our terminal have ended; print its URL.

    Raises:
        CommandFailed: If it does not answer; nothing is left running then.
    """
    with one_at_a_time(records):
        name = unused_name(home, records, options.get("name"))
        log = os.path.join(records, f"{name}.log")
        image = DetachedPractice(name, command_of(name, options), folder_in(home), records, log)
        try:
            connection = image.open()
            connection.close()
        except BaseException as failure:
            image.end()
            if not isinstance(failure, ImageFailed):
                raise
            reason = reason_in(log) or f"no practice image was started: {failure}"
            raise CommandFailed(reason) from failure
        image.leave()
    with open(log, encoding="utf-8", errors="replace") as output:  # what it has loaded, and skipped
        print(*takewhile(lambda line: not line.startswith("The practice image"), output), sep="", end="")
    print(f"The practice image {name} is listening at {connection.address.url}. Its output is in {log}.")
    print(f"Stop it with: pharo-mcp practice --stop --name {name}")
    return 0


def reason_in(log: str) -> str:
    """Return what an image that did not start wrote into its log."""
    if not os.path.exists(log):
        return ""
    with open(log, encoding="utf-8", errors="replace") as output:
        return output.read().strip().removeprefix("pharo-mcp: ")


def stop(home: str, records: str, wanted: str | None) -> int:
    """Stop the practice images that `practice` has started, or the one of that name.

    Raises:
        CommandFailed: If none has that name.
    """
    chosen = [record for record in launch_records(records) if wanted in (None, record.image)]
    if wanted and not chosen:
        raise CommandFailed(f"no practice image named {wanted} is running: `pharo-mcp images` lists them")
    for record in chosen:
        end_recorded(record, folder_in(home), lambda file: file.pid == record.pid)  # noqa: B023
        print(f"The practice image {record.image} was stopped.")
    if not chosen:
        print("No practice image is running.", file=sys.stderr)
    return 0
