"""The table of commands."""

from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from pharo_mcp.standard_error import Relay

from .ending import silence
from .options import (
    ENTRY,
    HEADLESS,
    JSON,
    LOAD,
    TIMEOUT,
    VM,
    WHICH,
    Option,
    Parameter,
    image_name,
    nonempty,
    plain_options,
    port_or_zero,
    version,
)


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
    may_exec: bool = False
    """Whether another program may take the place of this process, which would end a relay."""

    def run(self, options: dict[str, object]) -> int:
        """Import the module, run the command and return its exit status."""
        module = import_module(f".{self.name.replace('-', '_')}", __package__)
        if self.may_exec:
            return int(module.run(options))
        silence()
        with Relay():
            return int(module.run(options))


CLIENT = Parameter(
    "client",
    "the MCP client",
    (
        "claude-desktop",
        "claude-code",
        "cursor",
        "vscode",
        "codex",
        "gemini",
        "opencode",
        "windsurf",
        "zed",
    ),
)
SERVER_NAME = Option("--name", "name of this server in the client (default: pharo)", nonempty)
LIVE = tuple(option for option in WHICH if option.name not in ("practice", "load"))
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
        (CLIENT,),
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
        "Calls a tool as a client does. Its arguments are a JSON object, or key=value; a value that is not "
        "text is JSON.",
        (
            *WHICH,
            Option("--output", "write the picture of the result into this file", nonempty, metavar="PATH"),
            JSON,
        ),
        (
            Parameter("tool", "name of the tool"),
            Parameter("arguments", "JSON object, key=value, or - for JSON on standard input", many=True),
        ),
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
            Option(
                "--image",
                "the image file, which must not be open, or its name in Pharo Launcher",
                nonempty,
                metavar="PATH",
            ),
            Option("--in-place", "load into the image itself instead of a copy, and save it"),
            VM,
        ),
    ),
    Command(
        "launch",
        "start an image with the companion",
        "Starts an image, loads the companion if it has none, and prints its URL. Runs until the image ends, "
        "unless it is detached. What was not saved when it is stopped is lost.",
        (
            Option("--image", "the image file, or its name in Pharo Launcher", nonempty, metavar="PATH"),
            Option("--new", "download Pharo 12, 13 or 14 and start a new image", version, metavar="VERSION"),
            HEADLESS,
            VM,
            Option("--detach", "start it in the background, and return when it answers"),
            Option("--stop", "stop the images that --detach has started, or the one of --image"),
        ),
    ),
    Command(
        "practice",
        "run the practice image",
        "Runs the practice image until it is interrupted or stopped, and prints its URL.",
        (
            Option("--port", "port to listen on (default: the system chooses one)", port_or_zero),
            Option(
                "--name", "name of the image (default: practice, practice-2 …)", image_name, metavar="NAME"
            ),
            Option("--detach", "run it in the background, and return when it answers"),
            Option("--stop", "stop the practice images that this command has started, or the one named"),
            LOAD,
        ),
        may_exec=True,
    ),
    Command(
        "demo",
        "show a short session with the practice image",
        "Shows a short session with the practice image, message by message.",
    ),
    Command(
        "completion",
        "print a script that completes commands and options in your shell",
        "Prints a script that lets the Tab key complete the commands and options of pharo-mcp in your shell.",
        parameters=(Parameter("shell", "the shell", ("bash", "zsh", "fish", "powershell")),),
    ),
    Command(
        "help",
        "show the help of a command",
        "Shows the help of a command, as --help after the command does; without one, that of all commands.",
        parameters=(Parameter("topic", "name of the command", many=True),),
    ),
)


def run_plain(arguments: Sequence[str]) -> int | None:
    """Run a command that takes only options, and return its exit status; None if argparse is needed."""
    name, *others = arguments
    command = next((each for each in COMMANDS if each.name == name), None)
    if command is None or command.parameters or not all(each.isascii() for each in others):
        return None
    options = plain_options(command.options, others)
    return None if options is None else command.run(options)
