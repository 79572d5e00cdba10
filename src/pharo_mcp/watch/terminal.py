"""What AI assistants do in an image, for the person in front of it.

`Watcher` reads it from an image, `lines_of` makes text of it, `as_json` a JSON object, and `show_in_terminal`
shows it live in a terminal. That needs textual, an optional dependency; the rest does without.
"""

import logging

from pharo_mcp.extras import how_to_install
from pharo_mcp.image.client import ImageClient


class TerminalLibraryMissing(Exception):
    """The library for terminals is not installed; the message says how to install it."""

    def __init__(self) -> None:
        super().__init__(
            f"watching in a terminal requires textual: {how_to_install('watch')}; "
            "or run `pharo-mcp watch --plain`, which works without it"
        )


def show_in_terminal(client: ImageClient) -> None:
    """Show what happens in the image of a client until the person quits.

    Raises:
        TerminalLibraryMissing: If textual is not installed.
        ImageError: If there is no image at first.
    """
    try:
        import textual  # noqa: F401 - only here: optional, and slow to import
    except ImportError as error:
        raise TerminalLibraryMissing from error
    from .application import WatchApplication

    client.status()
    logging.getLogger("pharo_mcp").addHandler(logging.NullHandler())  # its lines would spoil the screen
    WatchApplication(client).run()
