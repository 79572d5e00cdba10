"""The commands, and parsing the command line."""

import argparse
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from pharo_mcp import __version__

from .options import (
    ENTRY,
    HEADLESS,
    JSON,
    OPTIONS,
    TIMEOUT,
    VERSION,
    VM,
    WHICH,
    Option,
    Parameter,
    nonempty,
    port,
    tonel_folder,
    version,
)
from .serve import serve_client

DESCRIPTION = (
    "Lets an AI assistant work inside a running Pharo image, over the Model Context Protocol (MCP). "
    "Without a command: serve an MCP client on standard input and output."
)
EPILOG = "Without --url, --image or --practice, pharo-mcp finds the live image by its connection file."


class Command(NamedTuple):
    """A command other than serving.

    The module of its name has a function `run` that takes the options. It is imported only when needed, since
    serving must start fast.
    """

    name: str
    help: str
    description: str
    options: tuple[Option, ...] = ()
    parameters: tuple[Parameter, ...] = ()

    def run(self, options: dict[str, object]) -> int:
        """Import the module, run the command and return its exit status."""
        module = import_module(f".{self.name.replace('-', '_')}", __package__)
        status: int = module.run(options)
        return status


CLIENT = Parameter("client", "the MCP client", ("claude-desktop", "claude-code", "cursor", "vscode"))
ANY_CLIENT = CLIENT._replace(choices=(*(CLIENT.choices or ()), "codex"))
SERVER_NAME = Option("--name", "name of this server in the client (default: pharo)", nonempty)
LIVE = tuple(option for option in WHICH if option.name != "practice")
"""The options that select an image that is running already."""

COMMANDS = (
    Command(
        "setup",
        "add pharo-mcp to an MCP client",
        "Finds the client's configuration, shows the change, writes it, and keeps a copy of the old file.",
        (
            SERVER_NAME,
            *ENTRY,
            Option("--file", "the client's configuration file, if it is not in the usual place", nonempty),
            Option("--dry-run", "show the change without writing it"),
            Option("--remove", "remove pharo-mcp from the configuration"),
        ),
        (CLIENT,),
    ),
    Command(
        "config",
        "print the entry for a client's configuration",
        "Prints the entry to paste into a client's configuration, and changes nothing.",
        (SERVER_NAME, *ENTRY),
        (ANY_CLIENT,),
    ),
    Command(
        "doctor",
        "find problems and suggest fixes",
        "Checks everything between client and image, and prints each finding with its fix and the next step.",
        (*WHICH, JSON),
    ),
    Command(
        "images",
        "list the live images",
        "Lists the images whose companion is running: name, system, URL, image file, and any problem.",
        (JSON,),
    ),
    Command(
        "eval",
        "evaluate Smalltalk in an image",
        "Evaluates an expression in an image, as the tool `evaluate` does, and prints its value.",
        (*WHICH, TIMEOUT, JSON),
        (Parameter("expression", "Smalltalk code; - reads it from standard input"),),
    ),
    Command(
        "call",
        "call a tool",
        "Calls a tool as a client does. Values are text; for parameters of other types they are JSON.",
        (*WHICH, JSON),
        (Parameter("tool", "name of the tool"), Parameter("arguments", "key=value", many=True)),
    ),
    Command(
        "watch",
        "watch what AI assistants do in an image",
        "Shows calls, running evaluations, changes and errors, live in a terminal or as lines of text.",
        (*LIVE, Option("--plain", "print lines of text"), Option("--json", "print a JSON object per line")),
    ),
    Command(
        "load",
        "load the companion into an image",
        "Prints the Smalltalk that loads the companion; with --image, loads it into a copy of that image.",
        (
            Option("--image", "the image file, which must not be open", nonempty, metavar="PATH"),
            Option("--in-place", "load into the image itself instead of a copy, and save it"),
            VM,
        ),
    ),
    Command(
        "launch",
        "start an image with the companion",
        "Starts an image, loads the companion if it has none, and prints its URL. Runs until the image ends.",
        (
            Option("--image", "the image file, or its name in Pharo Launcher", nonempty, metavar="PATH"),
            Option("--new", "download Pharo 12, 13 or 14 and start a new image", version, metavar="VERSION"),
            HEADLESS,
            VM,
        ),
    ),
    Command(
        "practice",
        "run the practice image in the foreground",
        "Runs the practice image until its standard input ends or it is interrupted, and prints its URL.",
        (
            Option("--port", "port to listen on (default: the system chooses one)", port),
            Option(
                "--load",
                "load the Tonel packages in a folder; can be repeated",
                tonel_folder,
                metavar="FOLDER",
                repeatable=True,
            ),
        ),
    ),
    Command(
        "demo",
        "show a short session with the practice image",
        "Shows a short session with the practice image, message by message.",
    ),
)


def run(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name, and return its exit status."""
    command_line = parser()
    options = vars(command_line.parse_args(arguments))
    name = options.pop("command")
    if name is None:
        return serve_client(options)
    command = next(command for command in COMMANDS if command.name == name)
    if flag := misplaced_flag(options, command):
        command_line.error(f"{flag} is only for serving: the command {name} does not accept it")
    return command.run(options)


def misplaced_flag(options: dict[str, object], command: Command) -> str | None:
    """The first option that is set, but accepted by serving only; None if there is none."""
    accepted = {option.name for option in command.options}
    serving_only = (option for option in OPTIONS if option.name not in accepted)
    return next((option.flag for option in serving_only if option.name in options), None)


def parser() -> argparse.ArgumentParser:
    """The parser for all commands and options."""
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
        subparser = commands.add_parser(
            command.name,
            help=command.help,
            description=command.description,
            allow_abbrev=False,
            formatter_class=help_formatter,
        )
        for parameter in command.parameters:
            parameter.add_to(subparser)
        for option in command.options:
            option.add_to(subparser)
    return parser


def help_formatter(prog: str) -> argparse.HelpFormatter:
    """A formatter of fixed width: asking for the terminal's width would take a tenth of the start-up time."""
    return argparse.HelpFormatter(prog, width=100)
