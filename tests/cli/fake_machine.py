"""Imitate a virtual machine with an image of Pharo 12 or 14: accept exactly their command lines.

In 14 the commands are Clap commands: options of the image come first, and flags precede arguments.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple, NoReturn

from pharo_mcp import __version__

IMAGE_OPTIONS = ("--interactive", "--no-default-preferences")
FLAGS = {"eval": ("--save", "--no-quit"), "st": ("--save", "--quit", "--no-source")}
SAVED = b", with the companion"
"""Appended to an image file that is saved with the companion."""


class Machine(NamedTuple):
    version: int
    status: int
    discards: bool
    serves: bool
    companion: str
    sunit: str


def main() -> None:
    version, status, discards, serves, companion, sunit, *arguments = sys.argv[1:]
    machine = Machine(int(version), int(status), discards == "1", serves == "1", companion, sunit)
    if arguments[0] == "--headless":
        arguments = arguments[1:]
    image = Path(arguments[0])
    command, flags, parameters = parse(machine.version, arguments[1:])
    match command, parameters:
        case "eval", [expression]:
            evaluate(machine, image, expression, save="--save" in flags)
        case "st", [script] if "--quit" not in flags and "SUNIT" in (text := Path(script).read_text("utf-8")):
            evaluate(machine, image, text, save=False)
        case "st", [script] if "--quit" not in flags:
            serve(machine, image, Path(script).read_text("utf-8"))
        case _:
            fail(f"Unrecognized arguments: {arguments[1:]}")


def parse(version: int, words: list[str]) -> tuple[str, list[str], list[str]]:
    """Split words into the command, its flags and its arguments."""
    if version < 14:
        words = [word for word in words if word != "--interactive"]
    while words and words[0] in IMAGE_OPTIONS:
        words = words[1:]
    command, *rest = words or ["none"]
    known = FLAGS.get(command, ())
    if version < 14 and command == "st":
        return command, [word for word in rest if word in known], [word for word in rest if word not in known]
    flags = []
    while rest and rest[0] in known:
        flags.append(rest.pop(0))
    if version < 14:
        return command, flags, [" ".join(rest)]
    if any(word.startswith("--") for word in rest):
        fail(f"Unrecognized arguments: {', '.join(rest)}")
    return command, flags, rest


def evaluate(machine: Machine, image: Path, expression: str, *, save: bool) -> None:
    """Imitate `eval`: print the value. Opal does not know classes that the expression itself loads."""
    if re.search(r"(?<![#'\w])PharoMcp(?![-\w])", expression):
        fail("Undeclared variable: PharoMcp")
    has_companion = SAVED in image.read_bytes()
    if "Metacello new" in expression:
        (image.parent / "PharoDebug.log").write_text("what Pharo writes", "utf-8")
        if machine.status:
            image.write_bytes(b"half of an image")
            sys.exit(machine.status)
        if save and not has_companion and not machine.discards:
            image.write_bytes(image.read_bytes() + SAVED)
    elif "SUNIT" in expression:
        sys.stdout.write(Path(machine.sunit).read_text("utf-8"))
    elif "at: #PharoMcp ifPresent:" in expression:
        sys.stdout.write(f"'companion: {version_in(image) if has_companion else 'none'}'\n")
    else:
        fail(f"Unexpected expression: {expression}")


def version_in(image: Path) -> str:
    """The version of the companion in an image: ours, unless a file beside it names another."""
    file = image.with_name("companion-version")
    return file.read_text("utf-8") if file.exists() else __version__


def serve(machine: Machine, image: Path, script: str) -> NoReturn:
    """Imitate `st`: run the script and keep the image open."""
    if not machine.serves:
        sys.exit(0)
    os.chdir(image.parent)
    program = [sys.executable, "-m", "pharo_practice", "--load", machine.companion, "--do", script, "--serve"]
    changes = image.with_suffix(".changes").open("ab")  # as every image has it
    with changes, subprocess.Popen(program, stdin=subprocess.PIPE) as running:
        sys.exit(running.wait())


def fail(message: str) -> NoReturn:
    sys.stderr.write(f"Error: {message}\n")
    sys.exit(1)


main()
