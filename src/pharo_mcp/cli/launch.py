"""`pharo-mcp launch`, `load` and `practice`: start images, and load the companion into a copy of one."""

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import count, takewhile
from typing import Any
from zlib import crc32

from pharo_mcp import __version__
from pharo_mcp.app.own_images import (
    DetachedPractice,
    Launch,
    LaunchedProcess,
    command_to_evaluate,
    files_of,
    folder_beside,
    is_open,
    launch_advice,
    orphan_of,
)
from pharo_mcp.app.processes import (
    SIGNAL_CHECK_SECONDS,
    ImageFailed,
    LaunchRecord,
    end_recorded,
    how_it_ended,
    is_same_file,
    launch_records,
    make_folder,
    new_record,
    one_at_a_time,
)
from pharo_mcp.app.replacing import ImageNotThere
from pharo_mcp.image.connection_files import connection_files, folder_in, is_running
from pharo_mcp.image.loading import load_and_start, practice_command, replace_companion

from .ending import CommandFailed, silence
from .installed import Host, NotFound, download, image_for, machine_for
from .terminal import elapsed


def run_launch(options: Mapping[str, str]) -> int:
    """Start the image, print its URL, and stop it at the end; or stop what was started before."""
    if "new" in options and "image" in options:
        raise CommandFailed("--new and --image exclude each other: use one of them", 2)
    host = Host.current()
    if "stop" in options:
        return stop(host, options.get("image"))
    machine, image = installation(host, options)
    return start(host, machine, image, options)


def start(host: Host, machine: str, image: str, options: Mapping[str, str]) -> int:
    """Start the image and print its URL; wait until it ends or a signal arrives, or let it go on.

    Raises:
        ImageError: If it does not answer; it was stopped then.
    """
    log = log_of(host, image) if "detach" in options else None
    launch = Launch(machine, image, folder_in(host.home), "headless" in options, log)
    process = LaunchedProcess(launch)
    answered = goes_on = False
    try:
        with elapsed(f"Starting {os.path.basename(image)}:"):
            connection = process.open()
        connection.close()
        answered = True
        listening = f"{connection.status.name} is listening at {connection.address.url}."
        if log:
            process.leave()
            goes_on = True
            print(f"{listening} Its output is in {log}.")
            print(f"Stop it with: pharo-mcp launch --stop --image '{image}'")
            return 0
        print(f"{listening} Ctrl-C stops it.", flush=True)
        while (status := process.status(SIGNAL_CHECK_SECONDS)) is None:
            continue
        if status:
            print(f"pharo-mcp: {image} does not run any more: {how_it_ended(status)}.", file=sys.stderr)
        return status if status >= 0 else 128 - status
    except ImageFailed as failure:
        raise ImageNotThere(image, str(failure), launch_advice(launch)) from failure
    finally:
        if not goes_on:
            process.end()
        if "new" in options and not answered:
            shutil.rmtree(os.path.dirname(image), ignore_errors=True)  # nobody has used it


def log_of(host: Host, image: str) -> str:
    """Return the file for the output of an image without a terminal, named by the image and its folder."""
    name = os.path.splitext(os.path.basename(image))[0]
    return os.path.join(host.home, ".pharo-mcp", "launched", f"{name}-{crc32(image.encode()):08x}.log")


def stop(host: Host, path_or_name: str | None) -> int:
    """Stop the images that `launch --detach` has started, or one of them.

    Raises:
        CommandFailed: If the one named is none of these.
    """
    image = image_for(host, path_or_name) if path_or_name else None
    folder = folder_in(host.home)
    detached = [record for record in launch_records(folder_beside(folder)) if not record.has_owner]
    chosen = [record for record in detached if image is None or is_same_file(record.image, image)]
    if image and not chosen:
        raise CommandFailed(
            f"{image} was not started by `launch --detach`, or has ended: quit it where it runs"
        )
    return end(chosen, folder)


def end(records: Sequence[LaunchRecord], folder: str) -> int:
    """End images, whose connection files are in a folder, and print which; return the exit status."""
    for record in records:
        end_recorded(record, folder)
        print(f"Stopped {record.image}.")
    if not records:
        print("There is nothing to stop: the image of a session ends with it.", file=sys.stderr)
    return 0


def installation(host: Host, options: Mapping[str, str]) -> tuple[str, str]:
    """Return the virtual machine and the image to start.

    Raises:
        CommandFailed: If one of them is not found or cannot be downloaded, or the image is open.
    """
    if "new" in options:
        machine, image = download(host, options["new"])
        return options.get("vm") or machine, image
    image = require_closed(host, image_for(host, options.get("image")))
    return machine_for(host, image, options.get("vm")), image


def launch_settings(options: Mapping[str, object]) -> dict[str, str]:
    """Return the settings for serving an image that is started for the session.

    Raises:
        CommandFailed: If the image or a virtual machine for it is not found.
    """
    host = Host.current()
    vm = options.get("vm")
    try:
        image = image_for(host, str(options["launch"]))
        return {"launch": image, "vm": machine_for(host, image, str(vm) if vm else None)}
    except NotFound as error:
        raise CommandFailed(str(error), 2) from error


def require_closed(host: Host, image: str) -> str:
    """Return the image if no running program has it open, or only because `launch` was killed.

    Raises:
        CommandFailed: If it is open.
    """
    if is_open(image) and orphan_of(image, folder_in(host.home)) is None:
        raise CommandFailed(
            f"{image} is already open. Nothing was started: two running copies would damage its changes "
            "file. Evaluate in it what `pharo-mcp load` prints, or close it and try again"
        )
    return image


SUFFIX = "-mcp"
"""Suffix that the copy of an image has in its name."""
CHECK = "'companion: ' , (Smalltalk at: #PharoMcp ifPresent: [ :it | it version ] ifAbsent: [ 'none' ])"
FOUND = re.compile(r"companion: ([\w.]+)")
"""An expression that asks for the version of the companion, and its output; exit status 0 is no proof."""
LEFTOVERS = ("PharoDebug.log", "pharo-local")
"""What Pharo may write beside an image that it runs."""


def run_load(options: Mapping[str, str]) -> int:
    """Print the Smalltalk that loads the companion, or load it into a copy of the given image."""
    if "image" not in options:
        print(load_and_start())
        print("Evaluate this in a Playground of your image.", file=sys.stderr)
        return 0
    host = Host.current()
    image = image_for(host, options["image"])
    copy = load_copy(machine_for(host, image, options.get("vm")), image)
    print(f"The companion was loaded into {copy}. Start it with: pharo-mcp launch --image '{copy}'")
    return 0


def load_copy(machine: str, image: str) -> str:
    """Load into a copy in the same folder and return its path; if that fails, leave nothing behind."""
    if is_open(image):
        raise CommandFailed(
            f"{image} is open. Nothing was loaded: unsaved work in it would be missing in the copy. Evaluate "
            "in it what `pharo-mcp load` prints, or close it and try again."
        )
    stem, folder = os.path.splitext(image)[0], os.path.dirname(image)
    copy = f"{stem}{SUFFIX}.image"
    if os.path.exists(copy):
        raise CommandFailed(f"{copy} already exists, and `load` would create it as a copy. Delete it first.")
    leftovers = [path for name in LEFTOVERS if not os.path.exists(path := os.path.join(folder, name))]
    try:
        for original, path in zip(files_of(image), files_of(copy), strict=True):
            if os.path.exists(original):
                shutil.copy2(original, path)
        run_pharo(command_to_evaluate(machine, copy, replace_companion(), save=True))
        check_version(run_pharo(command_to_evaluate(machine, copy, CHECK)))
    except BaseException:
        for path in (*files_of(copy), *leftovers):
            remove(path)
        raise
    return copy


def check_version(output: str) -> None:
    """Check that an image that was opened again has reported this version of the companion."""
    found = FOUND.findall(output)
    if __version__ in found:
        return
    has = f"companion {found[-1]}" if found and found[-1] != "none" else "no companion"
    raise CommandFailed(
        f"the image ended with status 0, but when opened again it has {has} instead of companion "
        f"{__version__}; its output is above"
    )


def remove(path: str) -> None:
    """Remove a file or a folder, which need not exist."""
    if os.path.isdir(path):
        shutil.rmtree(path, ignore_errors=True)
    else:
        with suppress(FileNotFoundError):
            os.remove(path)


def run_pharo(command: list[str]) -> str:
    """Run a command to its end, copy its output to standard error, and return it.

    Raises:
        CommandFailed: If it fails.
    """
    print(subprocess.list2cmdline(command), file=sys.stderr)
    process = subprocess.Popen(  # noqa: S603 - the user's own virtual machine
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=sys.platform != "win32",  # the machine may be a script that starts it
    )
    output = []
    with process:
        try:
            with elapsed("Loading the companion:") as progress:
                for line in process.stdout or ():
                    progress.clear()
                    sys.stderr.write(line)
                    output.append(line)
        except BaseException:  # its image is deleted
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
            raise
    if process.returncode:
        ended = how_it_ended(process.returncode)
        raise CommandFailed(f"loading failed: {ended}; the image's output is above")
    return "".join(output)


PRACTICE_START = """PharoMcp start.
    [ | absent |
    absent := 0.
    [ absent > 2 ] whileFalse: [
        (Delay forSeconds: 1) wait.
        absent := PharoMcp current ifNil: [ absent + 1 ] ifNotNil: [ 0 ] ].
    Smalltalk exit: 0 ] forkAt: Processor userBackgroundPriority"""
"""Smalltalk that starts the companion, and ends the image when somebody has stopped it in there.

Not at once: it is also stopped, and started again, to open the image for reading only.
"""
PRACTICE_NAME = "practice"


def run_practice(options: Mapping[str, Any]) -> int:
    """Start a practice image with the Tonel packages of some folders loaded, or stop some."""
    home = Host.current().home
    records = os.path.join(home, ".pharo-mcp", "practice")
    if "stop" in options:
        return end(launch_records(records), folder_in(home))
    make_folder(records)
    if "detach" not in options:
        return run_in_foreground(home, records, options)
    silence()
    return start_practice(home, records, options)


def practice_command_of(name: str, options: Mapping[str, Any]) -> list[str]:
    """Return the command that runs a practice image of that name.

    Raises:
        CommandFailed: If the current folder is unavailable.
        FileNotFoundError: If the companion's sources are missing.
    """
    try:
        os.getcwd()
    except OSError as error:
        raise CommandFailed("the current folder was deleted: change to another one first") from error
    image = "The practice image" if name == PRACTICE_NAME else f"The practice image {name}"
    say = f"'{image} is listening at ' , PharoMcp current url"
    return practice_command(PRACTICE_START, say, options.get("load", ()), name)


def unused_name(home: str, records: str) -> str:
    """Return the name of a new practice image: the first that no running image has.

    Raises:
        ImageError: If others could have written the connection files.
    """
    taken = {record.image for record in launch_records(records)}
    taken |= {file.name for file in connection_files(folder_in(home)) if not file.pid or is_running(file.pid)}
    names = (PRACTICE_NAME if number == 1 else f"{PRACTICE_NAME}-{number}" for number in count(1))
    return next(name for name in names if name not in taken)


def run_in_foreground(home: str, records: str, options: Mapping[str, Any]) -> int:
    """Replace this process with the practice image, which does not wait for a reader of its output.

    Where a process cannot be replaced, run a child process and return its exit status.
    """
    with one_at_a_time(records):
        name = unused_name(home, records)
        python, _, *module = practice_command_of(name, options)
        command = [python, "-m", "pharo_mcp.standard_error", *module]
        if os.name == "posix":
            with new_record(records) as (path, lock):
                LaunchRecord(path, name, os.getpid()).write()
                os.set_inheritable(lock, True)
                os.execv(command[0], command)  # noqa: S606 - our own program; signals reach it directly
        return subprocess.call(command)  # noqa: S603 - the same


def start_practice(home: str, records: str, options: Mapping[str, Any]) -> int:
    """Start a practice image that goes on when we and our terminal have ended; print its URL.

    Raises:
        CommandFailed: If it does not answer; nothing is left running then.
    """
    with one_at_a_time(records):
        name = unused_name(home, records)
        log = os.path.join(records, f"{name}.log")
        image = DetachedPractice(name, practice_command_of(name, options), folder_in(home), records, log)
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
    print("Stop it with: pharo-mcp practice --stop")
    return 0


def reason_in(log: str) -> str:
    """Return what an image that did not start wrote into its log."""
    if not os.path.exists(log):
        return ""
    with open(log, encoding="utf-8", errors="replace") as output:
        return output.read().strip().removeprefix("pharo-mcp: ")
