"""`pharo-mcp config`: print the entry for a client's configuration."""

import sys
from collections.abc import Mapping

from pharo_mcp.app import Settings

from .clients import BY_NAME, Entry, own_entry
from .host import Host
from .options import ENTRY

SERVER = "pharo"
"""Default name of this server in a client's configuration."""


def run(options: Mapping[str, str]) -> int:
    """Print the entry on standard output, and the file it belongs in on standard error."""
    client = BY_NAME[options["client"]]
    name = options.get("name", SERVER)
    try:
        check_text(name)
        entry = entry_for(options)
    except ValueError as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 2
    print(client.snippet(name, entry))
    places = " or ".join(client.places(Host.current()))
    print(f"Add it to {places}. {client.next_step}", file=sys.stderr)
    return 0


def entry_for(options: Mapping[str, object]) -> Entry:
    """The entry that starts pharo-mcp with the options that an entry can hold.

    Raises:
        ValueError: If the options are invalid for serving.
    """
    Settings.read({}, {option.name: options.get(option.name) for option in ENTRY})
    args = [word for option in ENTRY for word in option.words(options.get(option.name))]
    check_text(*args)
    return own_entry(tuple(args))


def check_text(*words: str) -> None:
    """Raise ValueError if a word, as the shell has passed it, cannot be written into a file."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{word!r} is not valid Unicode: use another name") from None
