"""`pharo-mcp load`: load the companion into an image."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

from pharo_mcp import __version__
from pharo_mcp.app.image_process import how_it_ended
from pharo_mcp.app.open_images import is_open
from pharo_mcp.app.pharo_commands import evaluate
from pharo_mcp.image.loading import load_and_start, load_companion

from .host import Host
from .installed import image_for, machine_for
from .progress import elapsed

SUFFIX = "-mcp"
"""Suffix that the copy of an image has in its name."""
CHECK = "'companion: ' , (Smalltalk at: #PharoMcp ifPresent: [ :it | it version ] ifAbsent: [ 'none' ])"
FOUND = re.compile(r"companion: ([\w.]+)")
"""An expression that asks for the version of the companion, and its output; exit status 0 is no proof."""
LEFTOVERS = ("PharoDebug.log", "pharo-local")
"""What Pharo may write beside an image that it runs."""


class LoadFailed(Exception):
    """The companion was not loaded; the message says why and what to do next."""


def run(options: Mapping[str, str]) -> int:
    """Print the Smalltalk that loads the companion, or load it into the given image."""
    if "image" not in options:
        if "in_place" in options:
            print("pharo-mcp: --in-place requires --image", file=sys.stderr)
            return 2
        print(load_and_start())
        print("Evaluate this in a Playground of your image.", file=sys.stderr)
        return 0
    try:
        host = Host.current()
        image = require_closed(image_for(host, options["image"]))
        machine = machine_for(host, image, options.get("vm"))
        if "in_place" in options:
            load_in_place(machine, image)
        else:
            image = load_copy(machine, image)
    except (LoadFailed, OSError, LookupError) as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 1
    print(f"The companion was loaded into {image}. Start it with: pharo-mcp launch --image '{image}'")
    return 0


def require_closed(image: str) -> str:
    """Return the image if no running program has it open."""
    if is_open(image):
        raise LoadFailed(
            f"{image} is open. Nothing was loaded: unsaved work in it would be lost. Evaluate in it "
            "what `pharo-mcp load` prints, or close it and try again."
        )
    return image


def load_copy(machine: str, image: str) -> str:
    """Load into a copy in the same folder and return its path; delete the copy if loading fails."""
    copy = f"{os.path.splitext(image)[0]}{SUFFIX}.image"
    if os.path.exists(copy):
        raise LoadFailed(
            f"{copy} already exists, and `load` would create it as a copy. Delete it, or load into the "
            "original image with --in-place (which saves that image)."
        )
    try:
        for original, path in zip(files_of(image), files_of(copy), strict=True):
            if os.path.exists(original):
                shutil.copy2(original, path)
        load(machine, copy)
    except BaseException:
        for path in files_of(copy):
            remove(path)
        raise
    return copy


def load_in_place(machine: str, image: str) -> None:
    """Load into the image itself; restore it if loading fails."""
    with tempfile.TemporaryDirectory(dir=os.path.dirname(image), prefix=".pharo-mcp-") as folder:
        kept = [(path, shutil.copy2(path, folder)) for path in files_of(image) if os.path.exists(path)]
        try:
            load(machine, image)
        except BaseException:
            for path, copy in kept:
                os.replace(copy, path)
            raise


def files_of(image: str) -> tuple[str, str]:
    """The files of an image: its changes, and itself."""
    return os.path.splitext(image)[0] + ".changes", image


def load(machine: str, image: str) -> None:
    """Load the companion; if that fails, remove what Pharo has written beside the image."""
    folder = os.path.dirname(image)
    leftovers = [path for name in LEFTOVERS if not os.path.exists(path := os.path.join(folder, name))]
    try:
        load_and_check(machine, image)
    except BaseException:
        for path in leftovers:
            remove(path)
        raise


def load_and_check(machine: str, image: str) -> None:
    """Load the companion, save the image and quit; then open it again to check the result."""
    finished = run_pharo(evaluate(machine, image, load_companion(), save=True))
    if finished.returncode:
        raise LoadFailed(f"loading failed: {how_it_ended(finished.returncode)}; the image's output is above")
    check_version(run_pharo(evaluate(machine, image, CHECK)).stdout)


def check_version(output: str) -> None:
    """Check that an image that was opened again has reported this version of the companion."""
    found = FOUND.findall(output)
    if __version__ in found:
        return
    has = f"companion {found[-1]}" if found and found[-1] != "none" else "no companion"
    raise LoadFailed(
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


def run_pharo(command: list[str]) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end and copy its output to standard error; the result has it in `stdout`."""
    print(subprocess.list2cmdline(command), file=sys.stderr)
    output = []
    with elapsed("Loading the companion:") as progress, started(command) as process:
        for line in process.stdout or ():
            progress.clear()
            sys.stderr.write(line)
            output.append(line)
    return subprocess.CompletedProcess(command, process.returncode, "".join(output))


@contextmanager
def started(command: list[str]) -> Iterator["subprocess.Popen[str]"]:
    """A virtual machine, which has ended after the block; at once, with what it has started, on an error."""
    with subprocess.Popen(  # noqa: S603 - the user's own virtual machine
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        errors="replace",
        start_new_session=sys.platform != "win32",  # the machine may be a script that starts it
    ) as process:
        try:
            yield process
        except BaseException:  # its image is deleted or restored
            if sys.platform == "win32":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)
            raise
