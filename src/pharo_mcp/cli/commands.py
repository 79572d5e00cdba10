"""The table of commands and their options, and the parser of the command line that is made from it."""

import os
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, RawDescriptionHelpFormatter
from collections.abc import Callable, Container, Iterable, Sequence
from importlib import import_module
from typing import Any, NamedTuple, NoReturn

from pharo_mcp import __version__

from .ending import STATUSES, CommandFailed, brief

PROGRAM = "pharo-mcp"
WIDTH = 100


def nonempty(text: str) -> str:
    """Parse text that must not be empty."""
    if not text.strip():
        raise ArgumentTypeError("must not be empty; omit the option instead")
    return text


def path_or_name(text: str) -> str:
    """Parse a name, or a path, which becomes absolute: clients start pharo-mcp in a folder of their own."""
    is_path = os.path.dirname(text) or text.endswith(".image")
    return os.path.abspath(os.path.expanduser(text)) if is_path else nonempty(text)


def live_image(text: str) -> str:
    """Parse a name or a URL, or the path of an image file, which becomes absolute."""
    return path_or_name(text) if os.path.isfile(os.path.expanduser(text)) else nonempty(text)


def port(text: str) -> int:
    """Parse a port number, or 0 for a port that the system chooses."""
    if not (text.isdecimal() and int(text[:9]) < 65536):
        raise ArgumentTypeError(f"invalid port {text!r} (0 to 65535)")
    return int(text)


def tonel_folder(text: str) -> str:
    """Parse the path of a Tonel package, or of a folder that contains some; it becomes absolute."""
    if not os.path.isdir(text):
        raise ArgumentTypeError(f"folder {text} does not exist")
    folders = (text, *(os.path.join(text, name) for name in os.listdir(text)))
    if not any(os.path.isfile(os.path.join(folder, "package.st")) for folder in folders):
        raise ArgumentTypeError(
            f"no Tonel package in {text}: use the folder that contains the package folders, often src"
        )
    return os.path.abspath(text)


class Option(NamedTuple):
    """An option, or a parameter if its name has no dashes: a switch, unless `parse` makes a value of a word.

    With `many`, the value is a list: of an option that is repeated, or of any number of words.
    """

    flag: str
    help: str
    parse: Callable[[str], object] | None = None
    metavar: str | None = None
    many: bool = False
    choices: tuple[str, ...] | None = None

    @property
    def name(self) -> str:
        """The key of its value in the parsed options."""
        return self.flag.strip("-").replace("-", "_")

    def words(self, value: object) -> list[str]:
        """Return the words that give this option a value; none for None."""
        match value:
            case None:
                return []
            case True:
                return [self.flag]
            case list():
                return [word for each in value for word in (self.flag, str(each))]
            case _:
                return [self.flag, str(value)]

    def add_to(self, parser: ArgumentParser) -> None:
        """Add the option to a parser."""
        if not self.parse:
            parser.add_argument(self.flag, help=self.help, action="store_true")
            return
        more: dict[str, Any] = {}
        if self.many:
            more = {"action": "append"} if self.flag.startswith("-") else {"nargs": "*", "default": []}
        parser.add_argument(
            self.flag, help=self.help, type=self.parse, metavar=self.metavar, choices=self.choices, **more
        )


IMAGE = Option(
    "--image",
    "name, URL or file of the live image to use, if there are several (PHARO_MCP_IMAGE)",
    live_image,
    "NAME",
)
PRACTICE = Option("--practice", "start a practice image for this session (PHARO_MCP_PRACTICE=1)")
OR_PRACTICE = Option("--or-practice", "use the live image, or start a practice image if none is live")
LOAD = Option(
    "--load",
    "load the Tonel packages in a folder into the practice image; can be repeated",
    tonel_folder,
    "FOLDER",
    many=True,
)
CONFIRM = Option("--confirm", "ask you in the client before a tool destroys something (PHARO_MCP_CONFIRM=1)")
READ_ONLY = Option("--read-only", "offer only tools that cannot change the image (PHARO_MCP_READ_ONLY=1)")
LIVE = (
    Option("--url", "URL of the image, such as http://127.0.0.1:50123 (PHARO_MCP_URL)", nonempty),
    Option("--token", "token for that URL (PHARO_MCP_TOKEN)", nonempty),
    IMAGE,
)
"""The options that select an image that is running already."""
WHICH = (*LIVE, PRACTICE, LOAD)
"""The options that select an image."""
SKILL_FOLDERS = {
    "copilot": ".copilot/skills",
    "cursor": ".cursor/skills",
    "gemini": ".gemini/skills",
    "opencode": ".config/opencode/skills",
    "others": ".agents/skills",
}
"""The folder of skills in a user's home, by client; of `others` the one that several clients read."""
TOOLS = Option(
    "--tools",
    "tools to list: `all` (the default), `core`, or the names of the only ones that the session has, such as "
    "`evaluate,run_tests` (PHARO_MCP_TOOLS)",
    nonempty,
    "WHICH",
)
TIMEOUT = Option(
    "--timeout",
    "time limit of an evaluation in seconds, unless the call sets one (PHARO_MCP_TIMEOUT; default: 20)",
    nonempty,
    "SECONDS",
)
LAUNCH = Option("--launch", "start this image for the session, and stop it at the end", path_or_name, "PATH")
VM = Option(
    "--vm",
    "virtual machine to run the image (default: the one beside it, on PATH, or in Pharo Launcher's folders)",
    path_or_name,
)
HEADLESS = Option("--headless", "start the image without windows")
SERVING = (
    *WHICH,
    OR_PRACTICE,
    Option("--http", "serve over HTTP on this port; 0 lets the system choose one", port, "PORT"),
    LAUNCH,
    VM,
    HEADLESS,
    TOOLS,
    TIMEOUT,
    READ_ONLY,
    CONFIRM,
)
"""The options for serving."""
ENTRY = (IMAGE, PRACTICE, OR_PRACTICE, LOAD, LAUNCH, VM, HEADLESS, TOOLS, READ_ONLY, CONFIRM)
"""The options that an entry in a client's configuration can hold: none whose value changes at each start."""
JSON = Option("--json", "print JSON")


class InvalidUsage(ValueError):
    """The command line cannot be parsed; the message says why."""


class Command(NamedTuple):
    """A command other than serving.

    Its function, `module.name` in this package, takes the options and returns the exit status. The module is
    imported only when the command runs, since serving must start fast.
    """

    name: str
    help: str
    description: str
    function: str
    examples: tuple[tuple[str, str], ...]
    options: tuple[Option, ...] = ()
    """Its parameters, in their order, and its options."""
    may_exec: bool = False
    """Whether another program may take the place of this process, which would end a relay."""

    def run(self, options: dict[str, Any]) -> int:
        """Run the command and return its exit status."""
        from pharo_mcp.image.errors import ImageError, to_the_user  # here: serving must start fast

        module, name = self.function.split(".")
        try:
            return int(getattr(import_module(f".{module}", __package__), name)(options))
        except ImageError as error:
            raise CommandFailed(to_the_user(error.message)) from error


CLIENT = Option(
    "client",
    "the MCP client",
    str,
    choices=(
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
USAGE = f"{PROGRAM} [OPTIONS]\n       {PROGRAM} COMMAND [ARGUMENTS] [OPTIONS]"
DESCRIPTION = """\
Lets an AI assistant work inside a running Pharo image, over the Model Context Protocol (MCP).
Without a command: serve an MCP client on standard input and output."""
EPILOG = f"""
Without --url, --image or --practice, pharo-mcp finds the live image by its connection file. The
options above may also stand before a command that accepts them.

exit status:
{chr(10).join(f"  {number:<4} {brief(meaning)}" for number, meaning in STATUSES)}"""
EXAMPLES = (
    ("pharo-mcp --practice", "serve a client that starts this, with a practice image"),
    ("pharo-mcp --image Zoo --read-only", "serve it with the live image Zoo, which must stay as it is"),
    ("pharo-mcp eval '3 + 4'", "evaluate Smalltalk in the live image"),
)

COMMANDS = (
    Command(
        "setup",
        "add pharo-mcp to an MCP client",
        "Finds the client's configuration, shows the change, writes it, and keeps a copy of the old file.",
        "setup.run",
        (
            ("pharo-mcp setup claude-desktop", "let Claude Desktop start pharo-mcp"),
            ("pharo-mcp setup cursor --practice", "let Cursor work in a practice image"),
            ("pharo-mcp setup vscode --remove", "undo it"),
        ),
        (
            CLIENT,
            SERVER_NAME,
            *ENTRY,
            Option("--file", "the client's configuration file, if it is not in the usual place", nonempty),
            Option("--remove", "remove pharo-mcp from the configuration"),
        ),
    ),
    Command(
        "config",
        "print the entry for a client's configuration",
        "Prints the entry to paste into a client's configuration, and changes nothing.",
        "setup.print_config",
        (("pharo-mcp config claude-code", "what to paste"),),
        (CLIENT, SERVER_NAME, *ENTRY),
    ),
    Command(
        "skills",
        "list the skills for assistants, or install them",
        "Lists the skills, or copies them into the folder of a client without plugins, over older ones.",
        "setup.run_skills",
        (
            ("pharo-mcp skills", "what there is"),
            ("pharo-mcp skills --install cursor", "copy them into ~/.cursor/skills"),
        ),
        (Option("--install", "the client", str, "CLIENT", choices=tuple(SKILL_FOLDERS)),),
    ),
    Command(
        "doctor",
        "find problems and suggest fixes",
        "Checks everything between client and image, and prints each finding with its fix and the next step.",
        "doctor.run",
        (
            ("pharo-mcp doctor", "check everything"),
            ("pharo-mcp doctor --image Zoo --json", "check with one of several images, for a program"),
        ),
        (*WHICH, JSON),
    ),
    Command(
        "images",
        "list the live images",
        "Lists the images whose companion is running: name, system, URL, image file, and any problem.",
        "call.run_images",
        (("pharo-mcp images", "which images are live"),),
        (JSON,),
    ),
    Command(
        "eval",
        "evaluate Smalltalk in an image",
        "Evaluates an expression in an image, as the tool `evaluate` does, and prints its value.",
        "call.run_eval",
        (
            ("pharo-mcp eval '100 factorial'", "in the only live image"),
            ("pharo-mcp eval --image Zoo --timeout 60 - < script.st", "a file, in one of several images"),
            ("pharo-mcp eval --practice --load src 'Zoo new'", "without Pharo, with a folder's packages"),
        ),
        (
            Option("expression", "Smalltalk code; - reads it from standard input", str, "EXPRESSION"),
            *WHICH,
            TIMEOUT,
            JSON,
        ),
    ),
    Command(
        "call",
        "call a tool",
        "Calls a tool as a client does. Its arguments are a JSON object, or key=value;\n"
        "a value that is not text is JSON.",
        "call.run_call",
        (
            ("pharo-mcp call get_class class_name=OrderedCollection include=comment", "as a client does"),
            ("""pharo-mcp call search '{"query": "sum", "kind": ["senders"]}'""", "with JSON"),
            ("pharo-mcp call evaluate expression='3 + 4' --json", "the whole result"),
            ("pharo-mcp call take_screenshot --output window.png", "the picture in a file"),
        ),
        (
            Option("tool", "name of the tool", str, "TOOL"),
            Option(
                "arguments",
                "JSON object, key=value, or - for JSON on standard input",
                str,
                "ARGUMENTS",
                many=True,
            ),
            *WHICH,
            Option("--output", "write the picture of the result into this file", nonempty, "PATH"),
            JSON,
        ),
    ),
    Command(
        "watch",
        "watch what AI assistants do in an image",
        "Shows calls, running evaluations, changes and errors, live in a terminal or as lines of text.",
        "call.run_watch",
        (
            ("pharo-mcp watch", "what happens in the only live image"),
            ("pharo-mcp watch --image Zoo --plain", "as lines, from one of several images"),
        ),
        (*LIVE, Option("--plain", "print lines of text"), Option("--json", "print a JSON object per line")),
    ),
    Command(
        "load",
        "load the companion into an image",
        "Prints the Smalltalk that loads the companion; with --image, loads it into a copy of that image.",
        "launch.run_load",
        (
            ("pharo-mcp load", "Smalltalk to evaluate in your image"),
            ("pharo-mcp load --image Zoo.image", "load into the copy Zoo-mcp.image"),
        ),
        (
            Option(
                "--image",
                "the image file, which must not be open, or its name in Pharo Launcher",
                nonempty,
                "PATH",
            ),
            VM,
        ),
    ),
    Command(
        "launch",
        "start an image with the companion",
        "Starts an image, loads the companion if it has none, and prints its URL. Runs until the image\n"
        "ends, unless it is detached. What was not saved when it is stopped is lost.",
        "launch.run_launch",
        (
            ("pharo-mcp launch --new 13", "download Pharo 13 and start it"),
            ("pharo-mcp launch --image Zoo --headless", "an image of Pharo Launcher, without windows"),
            ("pharo-mcp launch --image Pharo.image --detach", "in the background; --stop stops it"),
        ),
        (
            Option("--image", "the image file, or its name in Pharo Launcher", nonempty, "PATH"),
            Option("--new", "download this Pharo and start a new image", str, choices=("12", "13", "14")),
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
        "launch.run_practice",
        (
            ("pharo-mcp practice --detach", "in the background"),
            ("pharo-mcp practice --stop", "stop it"),
            ("pharo-mcp practice --load src", "with the Tonel packages in a folder"),
        ),
        (
            Option("--detach", "run it in the background, and return when it answers"),
            Option("--stop", "stop the practice images that this command has started"),
            LOAD,
        ),
        may_exec=True,
    ),
    Command(
        "demo",
        "play a short conversation with the practice image",
        "Plays the conversation of README.md with the practice image.",
        "demo.run",
        (("pharo-mcp demo", "needs neither Pharo nor a client"),),
        (Option("--wire", "show the messages between client and pharo-mcp"),),
    ),
)
BY_NAME = {command.name: command for command in COMMANDS}


class Parser(ArgumentParser):
    """Reads words as a table says; what is not given has no value in the result."""

    def __init__(
        self,
        *,
        prog: str,
        description: str,
        examples: Sequence[tuple[str, str]],
        usage: str | None = None,
        epilog: str = "",
    ) -> None:
        width = max(len(command) for command, _ in examples)
        lines = [f"  {command.ljust(width)}  {meaning}" for command, meaning in examples]
        super().__init__(
            prog,
            usage,
            description,
            "\n".join(["examples:", *lines, epilog]),
            # Of fixed width: asking for the terminal's needs an import at each start.
            formatter_class=lambda prog: RawDescriptionHelpFormatter(prog, width=WIDTH),
            argument_default=SUPPRESS,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        """Raise InvalidUsage; ArgumentParser itself would print the usage, and exit."""
        raise InvalidUsage(f"{self.prog}: error: {message}")


def parser(words: Container[str]) -> Parser:
    """Return the parser of the command line, with the options of the commands that are among the words."""
    made = Parser(prog=PROGRAM, usage=USAGE, description=DESCRIPTION, epilog=EPILOG, examples=EXAMPLES)
    version = f"{PROGRAM} {__version__}"
    made.add_argument("-V", "--version", action="version", version=version, help="show the version and exit")
    for option in SERVING:
        option.add_to(made)
    names = made.add_subparsers(title="commands", metavar="COMMAND", dest="command", prog=PROGRAM)
    for command in COMMANDS:
        its_parser = names.add_parser(
            command.name, help=command.help, description=command.description, examples=command.examples
        )
        for option in command.options if command.name in words else ():
            option.add_to(its_parser)
    return made


def parse(arguments: Iterable[str]) -> tuple[Command | None, dict[str, Any]]:
    """Return the command that the arguments name, None for serving, and the options and parameters given.

    Raises:
        InvalidUsage: If they are not valid.
    """
    words = list(map(as_utf_8, arguments))
    parsed, extra = parser(words).parse_known_args(words)
    options = vars(parsed)
    command = BY_NAME.get(options.pop("command"))
    program = f"{PROGRAM} {command.name}" if command else PROGRAM
    if "arguments" in options and not any(word.startswith("-") for word in extra):
        options["arguments"] += extra  # those that follow an option
    elif extra:
        raise InvalidUsage(f"{program}: error: unrecognized arguments: {' '.join(extra)}")
    if command:
        for name in options.keys() - {option.name for option in command.options}:
            raise InvalidUsage(f"{program}: error: the command does not accept --{name.replace('_', '-')}")
    return command, options


def serving_options(words: Iterable[str]) -> dict[str, Any]:
    """Return the options for serving in an entry of a client.

    Raises:
        InvalidUsage: If they are not valid, or name a command.
    """
    command, options = parse(words)
    if command:
        raise InvalidUsage(f"{command.name} is a command, which serves no client")
    return options


def as_utf_8(argument: str) -> str:
    """Decode an argument again as UTF-8 whose bytes the locale's encoding, such as ASCII, cannot tell."""
    try:
        return os.fsencode(argument).decode("utf-8")
    except UnicodeError:
        return argument
