"""Loading the companion into an image, from the sources of this installation, so that versions match."""

import os
import sys
from collections.abc import Sequence

import pharo_mcp


def companion_folder() -> str:
    """Return where the companion's sources are: beside us in an installed package, else in the repository.

    Raises:
        FileNotFoundError: If they are in neither place.
    """
    package = os.path.dirname(os.path.abspath(pharo_mcp.__file__))
    for folder in (os.path.join(package, "pharo"), os.path.join(package, "..", "..", "pharo")):
        if os.path.isdir(folder):
            return os.path.normpath(folder)
    raise FileNotFoundError(f"the companion's sources are neither in {package} nor in a repository around it")


def load_and_start() -> str:
    """Return Smalltalk for an image that has no companion yet.

    It is compiled as a whole, before anything is loaded, so it must not name PharoMcp as a variable.
    """
    return f"    {load_companion()}.\n    (Smalltalk at: #PharoMcp) start."


def start_request() -> str:
    """Return what an assistant asks its user for without a live image: it cannot evaluate this itself."""
    return (
        "Ask the user to evaluate in a Playground of Pharo:\n    PharoMcp start\n"
        f"If PharoMcp is unknown there, this loads and starts it:\n{load_and_start()}"
    )


def load_companion(*groups: str) -> str:
    """Return Smalltalk that loads the companion, or these groups of its baseline.

    Metacello refuses a project that was loaded from another address, even one that was uninstalled.
    """
    names = " ".join(f"'{group}'" for group in groups)
    return f"Metacello new {_baseline()}; onConflictUseIncoming; load{f': #( {names} )' if groups else ''}"


def renew() -> str:
    """Return Smalltalk for an image with an older companion, loaded from wherever, and what is lost by it."""
    return (
        f"    {replace_companion()}.\n    (Smalltalk at: #PharoMcp) start.\n"
        "This removes the list of changes, and the tools that were added in the image."
    )


def replace_companion() -> str:
    """Return Smalltalk that loads the companion into an image that may have an older one.

    That is removed first: Monticello loads no class over an older one whose subclass had its variable.
    """
    return f"Smalltalk at: #PharoMcp ifPresent: [ :it | it uninstall ]. {load_companion()}"


def start_script(*, headless: bool) -> str:
    """Return Smalltalk that starts the companion, and loads it before if the image has none.

    An image without windows then survives an error that nobody handles. The script names no class that may be
    missing when it is compiled, and no message that an older companion does not understand.
    """
    load = f"(Smalltalk at: #Metacello) new {_baseline()}; load"
    lines = [f"Smalltalk at: #PharoMcp ifAbsent: [ {load} ]."]
    if headless:
        survive = "(Smalltalk at: #PharoMcp) perform: #surviveErrors"
        lines.append(f"((Smalltalk at: #PharoMcp) respondsTo: #surviveErrors) ifTrue: [ {survive} ].")
    return "\n".join([*lines, "(Smalltalk at: #PharoMcp) start.\n"])


def companion_repository() -> str:
    """Return the companion's sources as Metacello finds them."""
    try:
        folder = companion_folder().replace(os.sep, "/")
    except FileNotFoundError:  # they were removed
        folder = "/folder/of/pharo-mcp/pharo"
    return f"tonel:///{folder.lstrip('/')}"


def _baseline() -> str:
    quoted = companion_repository().replace("'", "''")
    return f"baseline: 'PharoMcp'; repository: '{quoted}'"


COMPANION = (
    "PharoMcp-Core",
    "PharoMcp-Objects",
    "PharoMcp-UserInterface",
    "PharoMcp-Protection",
    "PharoMcp-Events",
    "PharoMcp-Questions",
    "PharoMcp-Registrations",
    "PharoMcp-Browsing",
    "PharoMcp-Changes",
    "PharoMcp-Testing",
    "PharoMcp-Debugging",
    "PharoMcp-Windows",
    "PharoMcp-Insight",
    "PharoMcp-Projects",
)
"""The packages of the group default of BaselineOfPharoMcp, in an image without menus."""
START = """[ {start} ] on: Error do: [ :error |
    Stdio stderr nextPutAll: 'pharo-mcp: the practice image cannot start: ' , error messageText; lf; flush.
    Smalltalk exit: 1 ]"""
"""Smalltalk that starts the companion, or ends the image with a sentence instead of a stack."""


def practice_command(
    start: str, say: str | None, folders: Sequence[str] = (), name: str = "practice"
) -> list[str]:
    """Return the command for a practice image that runs until a signal, or the end of a pipe as its input.

    `start` starts the companion, and the value of `say`, if given, is then printed as one line: both are
    Smalltalk.
    The Tonel packages in `folders` are loaded before anything starts; `name` is the name of the image. Of the
    companion it has what other images load by default, so not its tests.
    The companion is stopped at the end, so that it removes its connection file.

    Raises:
        FileNotFoundError: If the companion's sources are missing.
    """
    companion = [os.path.join(companion_folder(), package) for package in COMPANION]
    loads = [word for folder in companion for word in ("--preload", folder)]
    loads += [word for folder in folders for word in ("--load", folder)]
    said = ["--print", say] if say else []
    serving = ["--do", START.format(start=start), *said, "--serve", "--do", "PharoMcp stop"]
    return [sys.executable, "-m", "pharo_practice", "--name", name, *loads, *serving]
