"""`pharo-mcp config`: print the entry for a client's configuration."""

import sys
from collections.abc import Iterator, Mapping

from pharo_mcp.app.session import open_client
from pharo_mcp.app.settings import Settings
from pharo_mcp.image.errors.base import ImageError

from .clients.entry import Entry, own_entry
from .clients.known_clients import BY_NAME
from .host import Host
from .installed import image_for, machine_for
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
    report_missing(options)
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


def report_missing(options: Mapping[str, str]) -> None:
    """Print what an entry with these options needs, and what does not exist."""
    for reason in missing(Host.current(), options):
        print(f"pharo-mcp: the entry cannot work yet: {reason}", file=sys.stderr)


def missing(host: Host, options: Mapping[str, str]) -> Iterator[str]:
    """What is missing for an entry with these options."""
    image, launch = options.get("image"), options.get("launch")
    if image and not is_live(host, image):
        yield f"no live image has the name, URL or image file {image} (--launch starts an image file)"
    if launch:
        try:
            machine_for(host, image_for(host, launch), options.get("vm"))
        except LookupError as error:
            yield str(error)


def is_live(host: Host, image: str) -> bool:
    """Whether there is a live image of that name, URL or image file."""
    with open_client(Settings.read({}, {"image": image}), host.environ) as client:
        try:
            return bool(client.live_images())
        except ImageError:
            return False


def check_text(*words: str) -> None:
    """Raise ValueError if a word, as the shell has passed it, cannot be written into a file."""
    for word in words:
        try:
            word.encode()
        except UnicodeEncodeError:
            raise ValueError(f"{word!r} is not valid Unicode: use another name") from None
