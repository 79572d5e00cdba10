"""`pharo-mcp` alone: serve a client."""

import os
import sys
from collections.abc import Mapping

from pharo_mcp.app import NoClient, Settings, serve


def serve_client(options: Mapping[str, object] | None = None) -> int:
    """Serve on standard input and output, with the options of the command line."""
    try:
        if options and "launch" in options:
            from .launch import to_launch  # hardly ever needed, and slow to import

            options = {**options, **to_launch(options)}
        settings = Settings.read(os.environ, options)
    except (ValueError, LookupError) as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 2
    try:
        return serve(settings, os.environ)
    except NoClient as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 1
