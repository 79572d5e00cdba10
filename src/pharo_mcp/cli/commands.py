"""Reading the command line, when there is one."""

import argparse
import os
from collections.abc import Callable, Mapping, Sequence
from glob import escape, glob
from typing import NamedTuple

from pharo_mcp import __version__

from .serve import serve_client

DESCRIPTION = "Lets a model work inside a live Pharo image. Without a command: serve an MCP client on stdio."
EPILOG = "Without --url, --image and --stand-in, the one live image is found by its connection file."


def words(text: str) -> str:
    """An option's value, which must say something."""
    if not text.strip():
        raise argparse.ArgumentTypeError("it must not be empty; leave the option out instead")
    return text


def port(text: str) -> int:
    """A port number."""
    number = int(text)
    if not 0 < number < 65536:
        raise argparse.ArgumentTypeError(f"{number} is no port")
    return number


def tonel_folder(text: str) -> str:
    """A folder that holds Tonel packages."""
    if not os.path.isdir(text):
        raise argparse.ArgumentTypeError(f"there is no folder {text}")
    if not glob(os.path.join(escape(text), "*", "package.st")):
        raise argparse.ArgumentTypeError(
            f"no Tonel package in {text}; give the folder that holds the packages' folders, often called src"
        )
    return text


class Option(NamedTuple):
    """Something to set: a switch, unless `read` makes a value of the text that follows.

    The values of one that is `repeatable` are a list, empty when it is not given.
    """

    flag: str
    help: str
    read: Callable[[str], object] | None = None
    metavar: str | None = None
    repeatable: bool = False

    def add_to(self, parser: argparse.ArgumentParser) -> None:
        """Let a parser know it."""
        if not self.read:
            parser.add_argument(self.flag, help=self.help, action="store_true")
        elif self.repeatable:
            parser.add_argument(
                self.flag, help=self.help, type=self.read, metavar=self.metavar, action="append", default=[]
            )
        else:
            parser.add_argument(self.flag, help=self.help, type=self.read, metavar=self.metavar)


class Command(NamedTuple):
    """Something to do other than serving."""

    name: str
    help: str
    description: str
    options: tuple[Option, ...] = ()


VERSION = Option("--version", "show program's version number and exit")
OPTIONS = (
    Option("--url", "address of the image, like http://127.0.0.1:50123 (PHARO_MCP_URL)", words),
    Option("--token", "token for that address (PHARO_MCP_TOKEN)", words),
    Option("--image", "name of one of several live images (PHARO_MCP_IMAGE)", words, metavar="NAME"),
    Option("--stand-in", "start a practice image for this session"),
    Option("--structured", "answer programs too: structuredContent"),
    Option("--read-only", "offer only tools that cannot change the image (PHARO_MCP_READ_ONLY=1)"),
)
"""What can be set for serving."""

COMMANDS = (
    Command(
        "stand-in",
        "run the practice image in the foreground",
        "Runs the practice image until its input ends or it is interrupted, and prints its URL.",
        (
            Option("--port", "port to listen on (default: the system chooses)", port),
            Option(
                "--load",
                "load the Tonel packages in a folder; may be given several times",
                tonel_folder,
                metavar="FOLDER",
                repeatable=True,
            ),
        ),
    ),
    Command(
        "demo",
        "show a short session with the practice image",
        "Shows a short session with the practice image, each message as it crosses the wire.",
    ),
)


def run(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name; its exit status."""
    reader = parser()
    options = vars(reader.parse_args(arguments))
    command = options.pop("command")
    if command and (astray := given_for_serving(options)):
        reader.error(f"{astray} is for serving; {command} takes no such option")
    match command:  # imported only when run: serving with options should start fast, too
        case "stand-in":
            from .stand_in import stand_in

            return stand_in(options["port"], options["load"])
        case "demo":
            from .demo import demo

            return demo()
    return serve_client(options)


def given_for_serving(options: Mapping[str, object]) -> str | None:
    """The first of the given options that only serving knows."""
    flags = (option.flag for option in OPTIONS)
    return next((flag for flag in flags if options[flag.strip("-").replace("-", "_")]), None)


def parser() -> argparse.ArgumentParser:
    """Everything that the command line knows."""
    parser = argparse.ArgumentParser(
        "pharo-mcp",
        description=DESCRIPTION,
        epilog=EPILOG,
        allow_abbrev=False,
        formatter_class=help_formatter,
    )
    parser.add_argument("--version", action="version", version=f"pharo-mcp {__version__}", help=VERSION.help)
    for option in OPTIONS:
        option.add_to(parser)
    commands = parser.add_subparsers(prog="pharo-mcp", dest="command", metavar="COMMAND", title="commands")
    for command in COMMANDS:
        its_parser = commands.add_parser(
            command.name,
            help=command.help,
            description=command.description,
            allow_abbrev=False,
            formatter_class=help_formatter,
        )
        for option in command.options:
            option.add_to(its_parser)
    return parser


def help_formatter(prog: str) -> argparse.HelpFormatter:
    """Help of a fixed width: to ask how wide the terminal is would cost a tenth of the start."""
    return argparse.HelpFormatter(prog, width=100)
