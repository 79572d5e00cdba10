"""Plays a virtual machine with an image of Pharo 12 or 14: what their command lines take, and no more.

In 14 the commands are Clap commands: what concerns the image comes first, flags before arguments, and
`metacello install` wants the name of a project and saves only when told to.
"""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple, NoReturn

GENERAL = ("--interactive", "--no-default-preferences")
FLAGS = {"eval": ("--save", "--no-quit"), "st": ("--save", "--quit", "--no-source")}
SAVED = b", with the companion"
"""What is found in an image file from then on."""


class Played(NamedTuple):
    version: int
    status: int
    loses: bool
    serves: bool
    companion: str
    sunit: str


def main() -> None:
    version, status, loses, serves, companion, sunit, *words = sys.argv[1:]
    played = Played(int(version), int(status), loses == "1", serves == "1", companion, sunit)
    if words[0] == "--headless":
        words = words[1:]
    image = Path(words[0])
    command, flags, given = parsed(played.version, words[1:])
    match command, given:
        case "eval", [expression]:
            evaluate(played, image, expression, save="--save" in flags)
        case "st", [script] if "--quit" not in flags:
            serve(played, image, Path(script).read_text("utf-8"))
        case _:
            fail(f"Unrecognized arguments: {words[1:]}")


def parsed(version: int, words: list[str]) -> tuple[str, list[str], list[str]]:
    """The command, its flags and its arguments."""
    if version < 14:
        words = [word for word in words if word != "--interactive"]
    while words and words[0] in GENERAL:
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


def evaluate(played: Played, image: Path, expression: str, *, save: bool) -> None:
    """As `eval` does: print the value; Opal finds no class that comes with what is loaded."""
    if re.search(r"(?<![#'\w])PharoMcp(?![-\w])", expression):
        fail("Undeclared variable: PharoMcp")
    has = SAVED in image.read_bytes()
    if expression.startswith("Metacello new"):
        if played.status:
            sys.exit(played.status)
        if save and not has and not played.loses:
            image.write_bytes(image.read_bytes() + SAVED)
    elif "SUNIT" in expression:
        sys.stdout.write(Path(played.sunit).read_text("utf-8"))
    elif "includesKey: #PharoMcp" in expression:
        sys.stdout.write(f"'companion: {str(has).lower()}'\n")
    else:
        fail(f"What is {expression}?")


def serve(played: Played, image: Path, script: str) -> NoReturn:
    """As `st` does: run the script, and stay."""
    if not played.serves:
        sys.exit(0)
    os.chdir(image.parent)
    program = [sys.executable, "-m", "pharo_standin", "--load", played.companion, "--do", script, "--serve"]
    with subprocess.Popen(program, stdin=subprocess.PIPE) as running:
        sys.exit(running.wait())


def fail(why: str) -> NoReturn:
    sys.stderr.write(f"Error: {why}\n")
    sys.exit(1)


main()
