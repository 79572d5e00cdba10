"""The options of the command line: the values that they take, and which belong together."""

import os
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable
from typing import Any, NamedTuple

INFINITY = float("inf")


def nonempty(text: str) -> str:
    """Parse text that must not be empty."""
    if not text.strip():
        raise ArgumentTypeError("must not be empty; omit the option instead")
    return text


def image_name(text: str) -> str:
    """Parse a name for an image, which must fit a file name."""
    if not nonempty(text).isprintable() or set(text) & set("/\\"):
        raise ArgumentTypeError(f"{text!r} is not a name for an image: use one without / and \\")
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


def seconds(text: str) -> float:
    """Parse a number of seconds."""
    try:
        number = float(text)
    except ValueError:
        number = INFINITY
    if not abs(number) < INFINITY:  # neither is "not a number"
        raise ArgumentTypeError(f"{text} is not a number of seconds")
    if number <= 0:
        raise ArgumentTypeError("must be greater than 0")
    return number


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
            case float():
                return [self.flag, f"{value:g}"]
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
    seconds,
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
