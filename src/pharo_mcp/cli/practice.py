"""`pharo-mcp practice`: run practice images, in the foreground or the background."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import count, takewhile
from time import monotonic, sleep
from typing import Any

from pharo_mcp.app.launched_image import LaunchRecord, new_record, one_at_a_time, read_launch_records
from pharo_mcp.app.own_images import how_it_ended
from pharo_mcp.app.practice_image import PRACTICE_STOP_SECONDS, SESSION_PREFIX
from pharo_mcp.image.connection import CompanionConnection
from pharo_mcp.image.connection_files import (
    ConnectionFile,
    connection_files,
    folder_in,
    is_running,
    remove_connection_files,
)
from pharo_mcp.image.errors import ImageError, ImageSilent, to_the_user
from pharo_mcp.image.loading import practice_command

from .ending import silence
from .installed import Host

PRACTICE_ANSWER_SECONDS = 5.0
"""The wait for an image's answer before it counts as one that hangs."""
PRACTICE_START_SECONDS = 60.0
"""The wait of `practice --detach` for the image to answer."""
PRACTICE_PAUSE_SECONDS = 0.05
"""The interval of checks while a practice image starts or ends in the background."""

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
MARK = "practice image"
"""In the system of every practice image, and of no other."""


class PracticeFailed(Exception):
    """No practice image was started; the message says why and what to do next."""


def run(options: Mapping[str, Any]) -> int:
    """Start a practice image with the Tonel packages of some folders loaded, or stop some."""
    home = Host.current().home
    try:
        if "stop" not in options and "detach" not in options:
            return run_in_foreground(home, options)
        silence()
        return stop(home, options) if "stop" in options else start(home, options)
    except (OSError, PracticeFailed) as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
    except ImageError as error:
        print(f"pharo-mcp: {to_the_user(error.message)}", file=sys.stderr)
    return 1


def command_of(name: str, options: Mapping[str, Any]) -> list[str]:
    """Return the command that runs a practice image of that name.

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
    """Return why no program can listen on a port; None if one can.

    Checked before the image starts, so that nothing is started in vain.
    """
    try:
        socket.create_server(("127.0.0.1", port)).close()
    except OSError as error:
        return os.strerror(error.errno or 0)
    return None


def unused_name(home: str, wanted: str | None = None) -> str:
    """Return the name of a new practice image: the one wanted, or the first that no running image has.

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
    """Yield the connection files of images whose process may be running."""
    files = connection_files(folder_in(home))
    return (file for file in files if file.pid is None or is_running(file.pid))


def start(home: str, options: Mapping[str, Any]) -> int:
    """Start a practice image that goes on when we and our terminal have ended; print its URL.

    Raises:
        PracticeFailed: If it ends or does not answer; nothing is left running then.
    """
    with one_at_a_time(folder_of_logs(home)):
        name = unused_name(home, options.get("name"))
        command = command_of(name, options)
        log = os.path.join(folder_of_logs(home), f"{name}.log")
        with (
            open(log, "w", encoding="utf-8") as output,
            new_record(folder_of_logs(home)) as (path, descriptor),
        ):
            process = subprocess.Popen(  # noqa: S603 - our own program
                command,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=output,
                pass_fds=[descriptor] if os.name == "posix" else (),
                start_new_session=True,  # a terminal that is closed does not end it
                creationflags=getattr(subprocess, "DETACHED_PROCESS", 0),  # the same on Windows
            )
            LaunchRecord(path, name, process.pid).write()
        try:
            file = wait_for_answer(home, name, process, log)
        except BaseException:
            process.kill()
            process.wait()
            raise
        process.returncode = 0  # it goes on without us, and nobody need be warned
    print(report_of_loading(log), end="")
    print(f"The practice image {name} is listening at {file.url}. Its output is in {log}.")
    print(f"Stop it with: pharo-mcp practice --stop --name {name}")
    return 0


def report_of_loading(log: str) -> str:
    """Return what a practice image wrote before it said where it listens: what it has loaded, and skipped."""
    with open(log, encoding="utf-8", errors="replace") as file:
        return "".join(takewhile(lambda line: not line.startswith("The practice image"), file))


def folder_of_logs(home: str) -> str:
    """Return the folder for the output of practice images that have no terminal."""
    folder = os.path.join(home, ".pharo-mcp", "practice")
    os.makedirs(os.path.dirname(folder), 0o700, exist_ok=True)
    os.makedirs(folder, 0o700, exist_ok=True)
    return folder


def wait_for_answer(home: str, name: str, process: "subprocess.Popen[bytes]", log: str) -> ConnectionFile:
    """Return the connection file of a practice image that was just started, once the image has answered."""
    end = monotonic() + PRACTICE_START_SECONDS
    while monotonic() < end:
        if process.poll() is not None:
            with open(log, encoding="utf-8", errors="replace") as file:
                reason = file.read().strip().removeprefix("pharo-mcp: ")
            raise PracticeFailed(
                reason or f"no practice image was started: {how_it_ended(process.returncode)}"
            )
        for found in running_images(home):
            if found.name == name and MARK in found.system:
                CompanionConnection.meet(found.address, end).close()
                return found
        sleep(PRACTICE_PAUSE_SECONDS)
    raise PracticeFailed(
        f"the practice image did not answer within {PRACTICE_START_SECONDS:.0f} seconds, and was stopped. "
        f"Its output is in {log}"
    )


def stop(home: str, options: Mapping[str, Any]) -> int:
    """Stop the practice images that `practice` has started, or the one of that name."""
    wanted = options.get("name")
    detached = list(read_launch_records(folder_of_logs(home)))  # whatever they answer, or do not
    found = [(each.image, each.leader, each.has_ended) for each in detached]
    leaders = {each.leader for each in detached}
    found += [
        (file.name, file.pid or 0, partial(has_closed, home, file))
        for file in running_images(home)
        if file.pid not in leaders and is_ours(file)
    ]
    chosen = [each for each in found if wanted in (None, each[0])]
    if wanted and not chosen:
        raise PracticeFailed(f"no practice image named {wanted} is running: `pharo-mcp images` lists them")
    for name, pid, has_ended in chosen:
        end(home, name, pid, has_ended)
        print(f"The practice image {name} was stopped.")
    if not chosen:
        print("No practice image is running.", file=sys.stderr)
    return 0


def is_ours(file: ConnectionFile) -> bool:
    """Return whether a connection file is that of a running practice image that belongs to no session."""
    if MARK not in file.system or file.name.startswith(SESSION_PREFIX) or not file.pid:
        return False
    try:
        CompanionConnection.meet(file.address, monotonic() + PRACTICE_ANSWER_SECONDS).close()
    except ImageSilent:  # it hangs
        return True
    except ImageError:  # its number may be another program's by now
        return False
    return True


def has_closed(home: str, file: ConnectionFile) -> bool:
    """Return whether an image has removed its connection file, or ended without that."""
    return file not in connection_files(folder_in(home)) or file not in running_images(home)


def end(home: str, name: str, pid: int, has_ended: Callable[[], bool]) -> None:
    """End the process of a practice image: in order, or at once where it does not."""
    for number in (signal.SIGTERM, getattr(signal, "SIGKILL", signal.SIGTERM)):
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            return
        until = monotonic() + PRACTICE_STOP_SECONDS
        while monotonic() < until:
            if has_ended():
                remove_connection_files(folder_in(home), lambda file: file.pid == pid)
                return
            sleep(PRACTICE_PAUSE_SECONDS)
    raise PracticeFailed(f"the practice image {name} does not end (process {pid})")


def run_in_foreground(home: str, options: Mapping[str, Any]) -> int:
    """Replace this process with the practice image, which does not wait for a reader of its output.

    Where a process cannot be replaced, run a child process and return its exit status.
    """
    python, _, *module = command_of(unused_name(home, options.get("name")), options)
    command = [python, "-m", "pharo_mcp.standard_error", *module]
    if os.name == "posix":
        os.execv(command[0], command)  # noqa: S606 - our own program; signals reach it directly
    return subprocess.call(command)  # noqa: S603 - the same
