"""`pharo-mcp` without a command: serve MCP clients."""

import os
import sys
from collections.abc import Mapping
from typing import Any

from pharo_mcp.app.serving import serve, serve_http
from pharo_mcp.app.settings import ServingFailed, Settings
from pharo_mcp.wire.stdio import NoClient

FOR_PEOPLE = """\
pharo-mcp now serves MCP on its standard input and output, for the program that starts it. In a terminal, type
    pharo-mcp setup CLIENT    to let your AI assistant start it
    pharo-mcp eval '3 + 4'    to evaluate Smalltalk in your image
    pharo-mcp doctor          to find problems
    pharo-mcp help            for all commands
Ctrl-D ends this."""
"""What to report if standard input is a terminal."""


def serve_client(options: Mapping[str, Any] | None = None) -> int:
    """Serve on standard input and output, or over HTTP if the options have a port."""
    options = dict(options or {})
    port: int | None = options.pop("http", None)
    try:
        if "launch" in options:
            from .launch import launch_settings  # rarely needed, and slow to import

            options |= launch_settings(options)
        settings = Settings.read(os.environ, options)
    except (ValueError, LookupError) as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 2
    try:
        if port is None and os.isatty(0):
            report(FOR_PEOPLE)
        if port is not None:
            return serve_http(settings, os.environ, port, report)
        return serve(settings, os.environ)
    except (NoClient, ServingFailed) as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 1


def report(message: str) -> None:
    """Print a message for the user on standard error."""
    print(message, file=sys.stderr, flush=True)
