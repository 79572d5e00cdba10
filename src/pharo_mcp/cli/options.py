"""What can be set on the command line."""

import argparse
import os
from collections.abc import Callable, Sequence
from glob import escape, glob
from typing import NamedTuple


def words(text: str) -> str:
    """An option's value, which must say something."""
    if not text.strip():
        raise argparse.ArgumentTypeError("it must not be empty; leave the option out instead")
    return text


def path_or_name(text: str) -> str:
    """The path of a program or an image, made absolute: clients start us in a folder of theirs; or a name."""
    is_path = os.path.dirname(text) or text.endswith(".image")
    return os.path.abspath(text) if is_path else words(text)


def port(text: str) -> int:
    """A port number."""
    if not (text.isdecimal() and 0 < int(text[:9]) < 65536):
        raise argparse.ArgumentTypeError(f"{text} is no port")
    return int(text)


def port_to_serve(text: str) -> int:
    """A port number, or 0."""
    return 0 if text == "0" else port(text)


def seconds(text: str) -> float:
    """A length of time."""
    try:
        number = float(text)
    except ValueError:
        number = 0
    if not 0 < number < float("inf"):
        raise argparse.ArgumentTypeError(f"{text} is no length of time")
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


def version(text: str) -> str:
    """A version of Pharo that the companion is made for."""
    if text not in ("12", "13", "14"):
        raise argparse.ArgumentTypeError(f"{text} is none of 12, 13 and 14")
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

    @property
    def name(self) -> str:
        """Under which its value is found."""
        return self.flag.strip("-").replace("-", "_")

    def add_to(self, parser: argparse.ArgumentParser) -> None:
        """Let a parser know it. What is not given has no value there."""
        if not self.read:
            parser.add_argument(self.flag, help=self.help, action="store_true", default=argparse.SUPPRESS)
        elif self.repeatable:
            parser.add_argument(
                self.flag, help=self.help, type=self.read, metavar=self.metavar, action="append", default=[]
            )
        else:
            parser.add_argument(
                self.flag, help=self.help, type=self.read, metavar=self.metavar, default=argparse.SUPPRESS
            )


class Parameter(NamedTuple):
    """What a command must be given; with `many`, any number of it."""

    name: str
    help: str
    choices: Sequence[str] | None = None
    many: bool = False

    def add_to(self, parser: argparse.ArgumentParser) -> None:
        """Let a parser know it."""
        metavar = None if self.choices else self.name.upper()
        if self.many:
            parser.add_argument(self.name, help=self.help, nargs="*", metavar=metavar, default=[])
        else:
            parser.add_argument(self.name, help=self.help, choices=self.choices, metavar=metavar)


VERSION = Option("--version", "show program's version number and exit")
NAME = Option("--image", "name of one of several live images (PHARO_MCP_IMAGE)", words, metavar="NAME")
STAND_IN = Option("--stand-in", "start a practice image for this session")
READ_ONLY = Option("--read-only", "offer only tools that cannot change the image (PHARO_MCP_READ_ONLY=1)")
WHICH = (
    Option("--url", "address of the image, like http://127.0.0.1:50123 (PHARO_MCP_URL)", words),
    Option("--token", "token for that address (PHARO_MCP_TOKEN)", words),
    NAME,
    STAND_IN,
)
"""Which image is meant."""
TOOLS = Option(
    "--tools", "list the `core` tools (the default) or `all` (PHARO_MCP_TOOLS)", words, metavar="WHICH"
)
TIMEOUT = Option(
    "--timeout",
    "seconds that an evaluation may take, unless its caller says so (PHARO_MCP_TIMEOUT; default: 20)",
    seconds,
    metavar="SECONDS",
)
LAUNCH = Option(
    "--launch", "start this image for the session, and end it with it", path_or_name, metavar="PATH"
)
VM = Option(
    "--vm", "the virtual machine (default: found on PATH or in Pharo Launcher's folders)", path_or_name
)
HEADLESS = Option("--headless", "start the image without windows")
HTTP = Option(
    "--http", "serve over HTTP on this port instead; 0 lets the system choose", port_to_serve, metavar="PORT"
)
OPTIONS = (
    *WHICH,
    HTTP,
    LAUNCH,
    VM,
    HEADLESS,
    TOOLS,
    TIMEOUT,
    Option("--structured", "answer programs too: structuredContent"),
    READ_ONLY,
)
"""What can be set for serving."""
ENTRY = (NAME, STAND_IN, LAUNCH, VM, HEADLESS, TOOLS, READ_ONLY)
"""What the entry in a client's configuration may say of that: nothing that is another one at each start."""
JSON = Option("--json", "answer a program: JSON on standard output")
