"""Reading the command line, when there is one."""

import argparse
from collections.abc import Sequence

from pharo_mcp import __version__

from .serve import serve_client

DESCRIPTION = "Lets a model work inside a live Pharo image. Without a command: serve an MCP client on stdio."
EPILOG = "Without --url, --image and --stand-in, the one live image is found by its connection file."


def run(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name; its exit status."""
    options = vars(parser().parse_args(arguments))
    match options.pop("command"):  # imported only when run: serving with options should start fast, too
        case "stand-in":
            from .stand_in import stand_in

            return stand_in(options["port"])
        case "demo":
            from .demo import demo

            return demo()
    return serve_client(options)


def parser() -> argparse.ArgumentParser:
    """Everything that the command line knows."""
    parser = argparse.ArgumentParser(
        "pharo-mcp",
        description=DESCRIPTION,
        epilog=EPILOG,
        allow_abbrev=False,
        formatter_class=help_formatter,
    )
    parser.add_argument("--version", action="version", version=f"pharo-mcp {__version__}")
    parser.add_argument("--url", help="address of the image, like http://127.0.0.1:50123 (PHARO_MCP_URL)")
    parser.add_argument("--token", help="token for that address (PHARO_MCP_TOKEN)")
    parser.add_argument(
        "--image", metavar="NAME", help="name of one of several live images (PHARO_MCP_IMAGE)"
    )
    parser.add_argument("--stand-in", action="store_true", help="start a practice image for this session")
    parser.add_argument("--structured", action="store_true", help="answer programs too: structuredContent")
    parser.add_argument(
        "--read-only",
        action="store_true",
        help="offer only tools that cannot change the image (PHARO_MCP_READ_ONLY=1)",
    )
    commands = parser.add_subparsers(prog="pharo-mcp", dest="command", metavar="COMMAND", title="commands")
    practice = commands.add_parser(
        "stand-in",
        formatter_class=help_formatter,
        help="run the practice image in the foreground",
        description="Runs the practice image until its input ends or it is interrupted, and prints its URL.",
    )
    practice.add_argument("--port", type=port, help="port to listen on (default: the system chooses)")
    commands.add_parser(
        "demo",
        formatter_class=help_formatter,
        help="show a short session with the practice image",
        description="Shows a short session with the practice image, each message as it crosses the wire.",
    )
    return parser


def help_formatter(prog: str) -> argparse.HelpFormatter:
    """Help of a fixed width: to ask how wide the terminal is would cost a tenth of the start."""
    return argparse.HelpFormatter(prog, width=100)


def port(text: str) -> int:
    """A port number."""
    number = int(text)
    if not 0 < number < 65536:
        raise argparse.ArgumentTypeError(f"{number} is no port")
    return number
