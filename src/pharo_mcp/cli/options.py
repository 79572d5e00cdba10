"""The options and parameters of the command line."""

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import argparse


INFINITY = float("inf")


class InvalidValue(ValueError):
    """The text after an option is not a value for it; the message says why."""


def nonempty(text: str) -> str:
    """Parse text that must not be empty."""
    if not text.strip():
        raise InvalidValue("must not be empty; omit the option instead")
    return text


def image_name(text: str) -> str:
    """Parse a name for an image, which must fit a file name."""
    if not nonempty(text).isprintable() or set(text) & set("/\\"):
        raise InvalidValue(f"{text!r} is not a name for an image: use one without / and \\")
    return text


def path_or_name(text: str) -> str:
    """Parse a name, or a path, which becomes absolute: clients start pharo-mcp in a folder of their own."""
    is_path = os.path.dirname(text) or text.endswith(".image")
    return os.path.abspath(os.path.expanduser(text)) if is_path else nonempty(text)


def live_image(text: str) -> str:
    """Parse a name or a URL, or the path of an image file, which becomes absolute."""
    return path_or_name(text) if os.path.isfile(os.path.expanduser(text)) else nonempty(text)


def port(text: str, lowest: int = 1) -> int:
    """Parse a port number."""
    if not (text.isdecimal() and lowest <= int(text[:9]) < 65536):
        raise InvalidValue(f"invalid port {text!r} ({lowest} to 65535)")
    return int(text)


def port_or_zero(text: str) -> int:
    """Parse a port number, or 0 for a port that the system chooses."""
    return port(text, lowest=0)


def seconds(text: str) -> float:
    """Parse a number of seconds."""
    try:
        number = float(text)
    except ValueError:
        number = INFINITY
    if not abs(number) < INFINITY:  # neither is "not a number"
        raise InvalidValue(f"{text} is not a number of seconds")
    if number <= 0:
        raise InvalidValue("must be greater than 0")
    return number


def tonel_folder(text: str) -> str:
    """Parse the path of a Tonel package, or of a folder that contains some; it becomes absolute."""
    from glob import escape, glob  # here: rarely needed

    if not os.path.isdir(text):
        raise InvalidValue(f"folder {text} does not exist")
    folders = (text, *glob(os.path.join(escape(text), "*")))
    if not any(os.path.isfile(os.path.join(folder, "package.st")) for folder in folders):
        raise InvalidValue(
            f"no Tonel package in {text}: use the folder that contains the package folders, often src"
        )
    return os.path.abspath(text)


def version(text: str) -> str:
    """Parse a version of Pharo that the companion supports."""
    if text not in ("12", "13", "14"):
        raise InvalidValue(f"unsupported version {text}: use 12, 13 or 14")
    return text


class Option(NamedTuple):
    """An option: a switch, unless `parse` converts the text that follows it to a value.

    The value of a `repeatable` option is a list.
    """

    flag: str
    help: str
    parse: Callable[[str], object] | None = None
    metavar: str | None = None
    repeatable: bool = False

    @property
    def name(self) -> str:
        """The key of its value in the parsed options."""
        return self.flag.strip("-").replace("-", "_")

    def words(self, value: object) -> list[str]:
        """The words that give this option a value; none for None."""
        match value:
            case None:
                return []
            case True:
                return [self.flag]
            case list():
                return [word for each in value for word in (self.flag, str(each))]
            case _:
                return [self.flag, str(value)]

    def add_to(self, parser: "argparse.ArgumentParser") -> None:
        """Add the option to a parser. An omitted option has no value in the result."""
        from argparse import SUPPRESS  # here, as below: serving does without it

        if not self.parse:
            parser.add_argument(self.flag, help=self.help, action="store_true", default=SUPPRESS)
            return
        parser.add_argument(
            self.flag,
            help=self.help,
            type=self.parse_or_explain,
            metavar=self.metavar,
            action="append" if self.repeatable else "store",
            default=SUPPRESS,
        )

    def parse_or_explain(self, text: str) -> object:
        """Parse a value for argparse, which prints why one is invalid."""
        from argparse import ArgumentTypeError

        try:
            return self.parse(text) if self.parse else text
        except InvalidValue as error:
            raise ArgumentTypeError(str(error)) from error


class Parameter(NamedTuple):
    """A positional argument of a command; with `many`, it may occur any number of times."""

    name: str
    help: str
    choices: Sequence[str] | None = None
    many: bool = False

    def add_to(self, parser: "argparse.ArgumentParser") -> None:
        """Add the parameter to a parser."""
        metavar = None if self.choices else self.name.upper()
        if self.many:
            parser.add_argument(self.name, help=self.help, nargs="*", metavar=metavar, default=[])
        else:
            parser.add_argument(self.name, help=self.help, choices=self.choices, metavar=metavar)


VERSION = Option("--version", "show the version and exit")
NAME = Option(
    "--image",
    "name, URL or file of the live image to use, if there are several (PHARO_MCP_IMAGE)",
    live_image,
    metavar="NAME",
)
PRACTICE = Option("--practice", "start a practice image for this session (PHARO_MCP_PRACTICE=1)")
LOAD = Option(
    "--load",
    "load the Tonel packages in a folder into the practice image; can be repeated",
    tonel_folder,
    metavar="FOLDER",
    repeatable=True,
)
CONFIRM = Option("--confirm", "ask you in the client before a tool destroys something (PHARO_MCP_CONFIRM=1)")
READ_ONLY = Option("--read-only", "offer only tools that cannot change the image (PHARO_MCP_READ_ONLY=1)")
WHICH = (
    Option("--url", "URL of the image, such as http://127.0.0.1:50123 (PHARO_MCP_URL)", nonempty),
    Option("--token", "token for that URL (PHARO_MCP_TOKEN)", nonempty),
    NAME,
    PRACTICE,
    LOAD,
)
"""The options that select an image."""
TOOLS = Option(
    "--tools",
    "tools to list: `all` (the default), `core`, or the names of the only ones that the session has, such as "
    "`evaluate,run_tests` (PHARO_MCP_TOOLS)",
    nonempty,
    metavar="WHICH",
)
TIMEOUT = Option(
    "--timeout",
    "time limit of an evaluation in seconds, unless the call sets one (PHARO_MCP_TIMEOUT; default: 20)",
    seconds,
    metavar="SECONDS",
)
LAUNCH = Option(
    "--launch", "start this image for the session, and stop it at the end", path_or_name, metavar="PATH"
)
VM = Option(
    "--vm",
    "virtual machine to run the image (default: the one beside it, on PATH, or in Pharo Launcher's folders)",
    path_or_name,
)
HEADLESS = Option("--headless", "start the image without windows")
HTTP = Option(
    "--http", "serve over HTTP on this port; 0 lets the system choose one", port_or_zero, metavar="PORT"
)
OPTIONS = (
    *WHICH,
    HTTP,
    LAUNCH,
    VM,
    HEADLESS,
    TOOLS,
    TIMEOUT,
    Option("--structured", "also return structuredContent"),
    READ_ONLY,
    CONFIRM,
)
"""The options for serving."""
ENTRY = (NAME, PRACTICE, LOAD, LAUNCH, VM, HEADLESS, TOOLS, READ_ONLY, CONFIRM)
"""The options that an entry in a client's configuration can hold: none whose value changes at each start."""
JSON = Option("--json", "print JSON")


def plain_options(accepted: Sequence[Option], arguments: Sequence[str]) -> dict[str, object] | None:
    """The options in the arguments; None if those hold anything else, or an error.

    Such arguments are for argparse, which reads options in the same way but is slow to import.
    """
    known = {option.flag: option for option in accepted}
    options: dict[str, Any] = {}
    remaining = iter(arguments)
    for argument in remaining:
        flag, equals, value = argument.partition("=")
        option = known.get(flag)
        if option is None or (equals and not option.parse):
            return None
        if option.parse and not equals:
            value = next(remaining, "-")
            if value.startswith("-"):
                return None
        try:
            parsed = option.parse(value) if option.parse else True
        except InvalidValue:
            return None
        options[option.name] = [*options.get(option.name, ()), parsed] if option.repeatable else parsed
    return options
