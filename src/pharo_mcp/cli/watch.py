"""`pharo-mcp watch`: what AI assistants do in an image, live in a terminal, as lines or as JSON."""

import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

from pharo_mcp.app.session import open_client
from pharo_mcp.app.settings import Settings
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.errors.base import ImageError, to_the_user
from pharo_mcp.watch.lines import as_json, lines_of
from pharo_mcp.watch.terminal import TerminalLibraryMissing, show_in_terminal
from pharo_mcp.watch.watcher import Watcher

from .output import print_json

HISTORY = 10
"""Calls and changes from before that are printed first."""


def run(options: Mapping[str, Any]) -> int:
    """Watch until the person ends it; return 1 if there is no image, or textual is missing."""
    chosen = {name: options[name] for name in Settings._fields if name in options}
    try:
        settings = Settings.read(os.environ, chosen)
    except ValueError as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 2
    show = show_in_terminal
    if "json" in options:
        show = show_json
    elif "plain" in options or not all(os.isatty(each) for each in (0, 1, 2)):  # textual uses all three
        show = show_lines
    return watch(settings, show)


def watch(settings: Settings, show: Callable[[ImageClient], None]) -> int:
    """Let a function show what happens in the image; return the exit status."""
    try:
        with open_client(settings, os.environ) as client:
            show(client)
    except (ImageError, TerminalLibraryMissing) as error:
        print(f"pharo-mcp: {to_the_user(str(error))}", file=sys.stderr)
        return 1
    return 0


def show_lines(client: ImageClient) -> None:
    """Print lines of text until the person ends it."""
    for observation in Watcher(client, HISTORY).observations():
        for line in lines_of(observation):
            print(line, flush=True)


def show_json(client: ImageClient) -> None:
    """Print a JSON object per line until the person ends it."""
    for observation in Watcher(client, HISTORY).observations():
        if (members := as_json(observation)) is not None:
            print_json(members)
