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
    try:
        entry = entry_for(options)
    except ValueError as error:
        print(f"pharo-mcp: {error}", file=sys.stderr)
        return 2
    print(client.snippet(options.get("name", SERVER), entry))
    paths = client.paths(Host.current()) if client.files else []
    location = f"Add it to {' or '.join(paths)}. " if paths else ""
    print(f"{location}{client.next_step}", file=sys.stderr)
    return 0


def entry_for(options: Mapping[str, object]) -> Entry:
    """The entry that starts pharo-mcp with the options that an entry can hold.

    Raises:
        ValueError: If the options are invalid for serving.
    """
    Settings.read({}, {option.name: options.get(option.name) for option in ENTRY})
    args: list[str] = []
    for option in ENTRY:
        if value := options.get(option.name):
            args += [option.flag] if value is True else [option.flag, str(value)]
    return own_entry(tuple(args))
