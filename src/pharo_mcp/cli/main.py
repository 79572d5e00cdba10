"""The command line. No other package prints. `commands` has the commands, `ending` the exit statuses."""

import os
import sys
from collections.abc import Sequence
from typing import Any

from pharo_mcp.app.serving import ServingFailed, serve, serve_http
from pharo_mcp.app.settings import Settings
from pharo_mcp.standard_error import Relay
from pharo_mcp.wire.transport import NoClient

from .commands import InvalidUsage, parse
from .ending import CommandFailed, run_to_end, silence

STANDARD_OUTPUT = 1
FOR_PEOPLE = """\
pharo-mcp now serves MCP on its standard input and output, for the program that starts it. In a terminal, type
    pharo-mcp setup CLIENT    to let your AI assistant start it
    pharo-mcp eval '3 + 4'    to evaluate Smalltalk in your image
    pharo-mcp doctor          to find problems
    pharo-mcp --help          for all commands
Ctrl-D ends this."""
"""What to report if standard input is a terminal."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command, or serve, and return the exit status."""
    return run_to_end(lambda: run(sys.argv[1:] if arguments is None else arguments))


def run(arguments: Sequence[str]) -> int:
    """Run the command that the arguments name, or serve."""
    try:
        command, options = parse(arguments)
    except InvalidUsage as error:
        print(f"{error}\nAdd --help to see the options.", file=sys.stderr)
        return 2
    if command is None:
        with Relay(STANDARD_OUTPUT):  # serving a client points it to standard error
            return serve_client(options)
    if command.may_exec:
        return command.run(options)
    silence()
    with Relay():
        return command.run(options)


def serve_client(options: dict[str, Any]) -> int:
    """Serve on standard input and output, or over HTTP if the options have a port."""
    if "launch" in options:
        from .launch import launch_settings  # rarely needed, and slow to import

        options |= launch_settings(options)
    settings = Settings.read(os.environ, options)
    try:
        if "http" in options:
            return serve_http(settings, os.environ, options["http"], report)
        if os.isatty(0):
            report(FOR_PEOPLE)
        return serve(settings, os.environ)
    except (NoClient, ServingFailed) as error:
        raise CommandFailed(str(error)) from error


def report(message: str) -> None:
    """Print a message for the user on standard error."""
    print(message, file=sys.stderr, flush=True)
