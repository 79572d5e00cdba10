"""Reading the command line, when there is one."""

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
    port,
    tonel_folder,
    version,
    words,
)
from .serve import serve_client

DESCRIPTION = "Lets a model work inside a live Pharo image. Without a command: serve an MCP client on stdio."
EPILOG = "Without --url, --image and --stand-in, the one live image is found by its connection file."


class Command(NamedTuple):
    """Something to do other than serving: `run` in the module of its name takes what is set."""

    name: str
    help: str
    description: str
    options: tuple[Option, ...] = ()
    parameters: tuple[Parameter, ...] = ()

    def run(self, options: dict[str, object]) -> int:
        """Do it; its exit status. Imported only now: serving with options should start fast, too."""
        module = import_module(f".{self.name.replace('-', '_')}", __package__)
        status: int = module.run(options)
        return status


CLIENT = Parameter("client", "which client", ("claude-desktop", "claude-code", "cursor", "vscode"))
ANY_CLIENT = CLIENT._replace(choices=(*(CLIENT.choices or ()), "codex"))
AS = Option("--name", "what the client calls this server (default: pharo)", words)

COMMANDS = (
    Command(
        "setup",
        "add pharo-mcp to an MCP client",
        "Finds the client's configuration, shows what changes, writes it, and keeps a copy of the old one.",
        (
            AS,
            *ENTRY,
            Option("--file", "the client's configuration, if it is not where it usually is", words),
            Option("--dry-run", "show what would change, and change nothing"),
            Option("--remove", "take pharo-mcp out of it"),
        ),
        (CLIENT,),
    ),
    Command(
        "config",
        "print what to paste into a client's configuration",
        "Prints the snippet for a client's configuration, and changes nothing.",
        (AS, *ENTRY),
        (ANY_CLIENT,),
    ),
    Command(
        "doctor",
        "find out what is wrong, and how to mend it",
        "Checks all that lies between a client and an image: a line each, with its fix, then the next step.",
        (*WHICH, JSON),
    ),
    Command(
        "images",
        "list the live images",
        "Lists the images whose companion runs: name, system, address, image file, and what is the matter.",
        (JSON,),
    ),
    Command(
        "eval",
        "evaluate Smalltalk in an image",
        "Evaluates an expression in an image, as the tool `evaluate` does, and prints its value.",
        (*WHICH, TIMEOUT, JSON),
        (Parameter("expression", "Smalltalk; - reads it from standard input"),),
    ),
    Command(
        "call",
        "call one of the tools",
        "Calls a tool as a client does. Values are words, or JSON where the tool wants something else.",
        (*WHICH, JSON),
        (Parameter("tool", "its name"), Parameter("arguments", "key=value", many=True)),
    ),
    Command(
        "load",
        "load the companion into an image",
        "Prints what loads the companion; with --image, loads it into a copy of that image, without windows.",
        (
            Option("--image", "the image file, which must not be open", words, metavar="PATH"),
            Option("--in-place", "load into the image itself, which saves it, and not into a copy"),
            VM,
        ),
    ),
    Command(
        "launch",
        "start an image with the companion",
        "Starts an image, loads the companion if it has none, and says where it answers. Ends with it.",
        (
            Option("--image", "the image file, or its name in Pharo Launcher", words, metavar="PATH"),
            Option(
                "--new", "fetch Pharo 12, 13 or 14 and start a new image of it", version, metavar="VERSION"
            ),
            HEADLESS,
            VM,
        ),
    ),
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
    name = options.pop("command")
    if name is None:
        return serve_client(options)
    command = next(command for command in COMMANDS if command.name == name)
    if astray := given_for_serving(options, command):
        reader.error(f"{astray} is for serving; {name} takes no such option")
    return command.run(options)


def given_for_serving(options: dict[str, object], command: Command) -> str | None:
    """The first of the given options that only serving knows."""
    known = {option.name for option in command.options}
    astray = (option for option in OPTIONS if option.name not in known)
    return next((option.flag for option in astray if option.name in options), None)


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
        for parameter in command.parameters:
            parameter.add_to(its_parser)
        for option in command.options:
            option.add_to(its_parser)
    return parser


def help_formatter(prog: str) -> argparse.HelpFormatter:
    """Help of a fixed width: to ask how wide the terminal is would cost a tenth of the start."""
    return argparse.HelpFormatter(prog, width=100)
