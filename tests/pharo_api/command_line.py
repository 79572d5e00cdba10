"""The command line of ``scripts/check-smalltalk``."""

from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Sequence
from pathlib import Path

from pharo_api import commands
from pharo_api.index_maker import Source
from pharo_api.outcome import Outcome
from pharo_api.pharo_version import VERSIONS

ABOUT = """Hold Smalltalk sources to the names that Pharo has; no image is needed.
Without a command, this project's own sources are held to its rules."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command and print what it finds; answers the exit status."""
    options = parser().parse_args(arguments)
    run: Callable[[object], Outcome] = options.run
    outcome = run(options)
    for line in outcome.lines:
        print(line)
    return 1 if outcome.failed else 0


def parser() -> ArgumentParser:
    """What can be asked for."""
    result = ArgumentParser("scripts/check-smalltalk", description=ABOUT)
    result.set_defaults(run=commands.own)
    adders = result.add_subparsers(title="commands", metavar="COMMAND")
    for name, run, about, add_arguments in COMMANDS:
        command = adders.add_parser(name, help=about, description=about)
        command.set_defaults(run=run)
        add_arguments(command)
    return result


def add_check(command: ArgumentParser) -> None:
    """The arguments of ``check``."""
    add_subset(command)
    about = "sources that are loaded, too, and not checked (repeatable)"
    command.add_argument(
        "--with", dest="loaded", type=folder, action="append", default=[], metavar="FOLDER", help=about
    )


def add_subset(command: ArgumentParser) -> None:
    """The arguments of ``subset``."""
    command.add_argument("folder", type=folder, help="Tonel sources")
    command.add_argument("--allow", type=Path, metavar="FILE", help="names and selectors to accept")
    command.add_argument("--errors-only", action="store_true", help="show no warnings")
    add_versions(command)


def add_copied(command: ArgumentParser) -> None:
    """The arguments of ``copied``."""
    command.add_argument("folders", type=folder, nargs="+", metavar="folder", help="Tonel sources")


def add_lookup(command: ArgumentParser) -> None:
    """The arguments of ``lookup``."""
    command.add_argument("name", help="a class, or a selector (with # in front where in doubt)")
    kind = command.add_mutually_exclusive_group()
    for each in ("class", "selector"):
        kind.add_argument(
            f"--{each}", dest="kind", action="store_const", const=each, help=f"the name is that of a {each}"
        )
    add_versions(command)


def add_index(command: ArgumentParser) -> None:
    """The arguments of ``index``."""
    command.add_argument("version", help="its number: 13")
    command.add_argument("note", help="which branch at which date; becomes the data file's first line")
    about = "where sources come from, and the folder they are in; what comes first wins"
    command.add_argument("sources", type=source, nargs="+", metavar="ORIGIN=FOLDER", help=about)


def add_names(command: ArgumentParser) -> None:
    """The arguments of ``names``."""
    command.add_argument("older", choices=VERSIONS, help="a version: 12")
    command.add_argument("newer", choices=VERSIONS, help="the version after it: 13")


def add_fingerprints(command: ArgumentParser) -> None:
    """The arguments of ``fingerprints``."""
    about = "Pharo's own sources"
    command.add_argument("sources", type=folder, nargs="+", metavar="source", help=about)
    about = "only methods of classes that this folder has, too (repeatable)"
    command.add_argument(
        "--of", dest="folders", type=folder, action="append", required=True, metavar="FOLDER", help=about
    )


def add_versions(command: ArgumentParser) -> None:
    """The option for versions."""
    about = f"versions of Pharo, separated by commas (default: {','.join(VERSIONS)})"
    command.add_argument("--versions", type=version_numbers, default=VERSIONS, help=about)


def folder(text: str) -> Path:
    """A folder that is there."""
    path = Path(text)
    if not path.is_dir():
        raise ArgumentTypeError(f"{text} is not a folder")
    return path


def source(text: str) -> Source:
    """Where sources come from, and their folder."""
    origin, _, path = text.partition("=")
    return Source(origin, folder(path))


def version_numbers(text: str) -> tuple[str, ...]:
    """Numbers of versions that there are data of."""
    numbers = tuple(filter(None, (each.strip() for each in text.split(","))))
    if missing := set(numbers).difference(VERSIONS):
        raise ArgumentTypeError(f"there are no data of Pharo {', '.join(sorted(missing))}")
    return numbers


COMMANDS = (
    ("check", commands.check, "Does a project use only what Pharo has?", add_check),
    ("subset", commands.subset, "Does Pharo have every class and selector defined here?", add_subset),
    ("copied", commands.copied, "Which methods are Pharo's own but for names and layout?", add_copied),
    ("lookup", commands.lookup, "What is known of a class, or who implements a selector?", add_lookup),
    ("index", commands.index, "Make the data of a version anew from its sources.", add_index),
    ("names", commands.names, "Make the list anew of what a version lacks or deprecates.", add_names),
    (
        "fingerprints",
        commands.fingerprints,
        "Make the table of Pharo's own methods anew.",
        add_fingerprints,
    ),
)
