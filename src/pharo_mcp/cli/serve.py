"""`pharo-mcp` alone: serve a client."""

import os
import sys
from collections.abc import Mapping
from typing import Any

from pharo_mcp.app import NoClient, NotServed, Settings, serve, serve_http


def serve_client(options: Mapping[str, Any] | None = None) -> int:
    """Serve with the options of the command line: on standard input and output, or over HTTP on a port."""
    given = dict(options or {})
    port: int | None = given.pop("http", None)
    try:
        if "launch" in given:
            from .launch import to_launch  # hardly ever needed, and slow to import

            given |= to_launch(given)
        settings = Settings.read(os.environ, given)
    except (ValueError, LookupError) as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 2
    try:
        if port is not None:
            return serve_http(settings, os.environ, port, say)
        return serve(settings, os.environ)
    except (NoClient, NotServed) as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 1


def say(sentence: str) -> None:
    """Tell the person at the terminal."""
    print(sentence, file=sys.stderr, flush=True)
