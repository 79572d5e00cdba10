"""Finding live images by the connection files that their companions write.

Writing one is how a person consents; answering at the address in it, with its token, is how an image
proves that it lives. Files of images that are gone, and whatever else lies there, are passed over.
"""

import json
import os
from collections.abc import Callable
from typing import NamedTuple

from .address import Address
from .contact import Contact
from .errors import (
    ImageError,
    ImageUnreachable,
    NoImageFound,
    SeveralImages,
    StrangerOnPort,
    TokenUnknown,
    WrongToken,
)
from .shapes import read

Locate = Callable[[float], Contact]
"""Takes the monotonic time until which it may take, answers the image to work in, or raises ImageError."""

FOLDER = os.path.join(".pharo-mcp", "images")
LARGEST_FILE = 64 * 1024

# What a file says when its image is gone: nobody, or somebody else, has the port now.
STALE = (ImageUnreachable, StrangerOnPort, TokenUnknown, WrongToken)


class ConnectionFile(NamedTuple):
    """What a companion writes about itself; only what is needed to find it and to choose."""

    url: str
    token: str
    name: str
    system: str
    image: str

    @property
    def address(self) -> Address:
        """Where that image should answer."""
        return Address.parse(self.url, self.token)

    def __str__(self) -> str:
        return f"{self.name} ({self.system}) at {self.url}, {self.image}"

    def __repr__(self) -> str:
        return f"ConnectionFile({self})"


def folder_in(home: str) -> str:
    """Where the connection files of a person are."""
    return os.path.join(home, FOLDER)


def read_connection_file(path: str) -> ConnectionFile:
    """Read one file.

    Raises:
        ValueError: If it is not a connection file, or leads elsewhere than to this machine.
        OSError: If it cannot be read.
    """
    with open(path, "rb") as file:
        found = read(ConnectionFile, json.loads(file.read(LARGEST_FILE)))
    if found.address.url != found.url:
        raise ValueError("the address is not canonical")
    return found


def connection_files(folder: str) -> list[ConnectionFile]:
    """Every connection file that can be understood, in a stable order."""
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    found = set()
    for name in names:
        if name.endswith(".json"):
            try:
                found.add(read_connection_file(os.path.join(folder, name)))
            except (OSError, ValueError, RecursionError):
                continue
    return sorted(found, key=lambda file: (file.name, file.image, file.url, file.token))


def at(address: Address) -> Locate:
    """Locate the image at a given address."""
    return lambda until: Contact.meet(address, until)


def at_url(url: str, folder: str) -> Locate:
    """Locate the image at a URL, with the token that its connection file has."""

    def locate(until: float) -> Contact:
        for file in connection_files(folder):
            if file.url == url:
                return Contact.meet(file.address, until)
        raise TokenUnknown(url, folder)

    return locate


def found_in(folder: str, name: str | None = None) -> Locate:
    """Locate the one live image that has a connection file, or the one of that name."""

    def locate(until: float) -> Contact:
        files = [file for file in connection_files(folder) if name in (None, file.name)]
        live: list[tuple[ConnectionFile, Contact]] = []
        silent: list[ImageError] = []
        for file in files:
            try:
                live.append((file, Contact.meet(file.address, until)))
            except STALE:
                continue
            except ImageError as error:
                silent.append(error)
        return _only(
            live, silent, NoImageFound(folder, name, [f"{file.name} at {file.url}" for file in files])
        )

    return locate


def _only(
    live: list[tuple[ConnectionFile, Contact]], silent: list[ImageError], none: NoImageFound
) -> Contact:
    match live, silent:
        case [(_, contact)], _:
            return contact
        case [], []:
            raise none
        case [], [error, *_]:  # an image is there, and has something the matter with it
            raise error
    for _, contact in live:
        contact.close()
    raise SeveralImages([str(file) for file, _ in live])
