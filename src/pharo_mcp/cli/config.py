"""`pharo-mcp config`: what to paste into a client's configuration."""

import sys
from collections.abc import Mapping

from pharo_mcp.app import Settings

from .clients import BY_NAME
from .entry import Entry, own_entry
from .host import Host
from .options import ENTRY

SERVER = "pharo"
"""What clients call us unless told otherwise."""


def run(options: Mapping[str, str]) -> int:
    """Print the snippet on standard output, and where it belongs on standard error."""
    client = BY_NAME[options["client"]]
    try:
        entry = entry_for(options)
    except ValueError as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 2
    print(client.snippet(options.get("name", SERVER), entry))
    places = client.places(Host.current()) if client.files else []
    where = f"It belongs into {' or '.join(places)}. " if places else ""
    print(f"{where}{client.then}", file=sys.stderr)
    return 0


def entry_for(options: Mapping[str, object]) -> Entry:
    """The entry that starts us with those options that it can hold.

    Raises:
        ValueError: If serving could not follow them; the sentence says why.
    """
    Settings.read({}, {option.name: options.get(option.name) for option in ENTRY})
    args: list[str] = []
    for option in ENTRY:
        if value := options.get(option.name):
            args += [option.flag] if value is True else [option.flag, str(value)]
    return own_entry(tuple(args))
