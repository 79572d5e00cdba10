"""Which image is meant: the one that was named when we started, or one of those found alive.

Files of images that are gone, and whatever else has their ports now, are passed over.
"""

import os
from collections.abc import Callable
from threading import Lock
from typing import NamedTuple, Protocol

from .address import Address
from .connection_files import ConnectionFile, connection_files
from .contact import Contact
from .errors import (
    ChoiceFixed,
    ImageError,
    ImageUnreachable,
    NoImageFound,
    NoSuchImage,
    SeveralImages,
    StrangerOnPort,
    TokenUnknown,
    WrongToken,
)

Locate = Callable[[float], Contact]
"""Takes the monotonic time until which it may take, answers the image to work in, or raises ImageError."""

# What a file says when its image is gone: nobody, or somebody else, has the port now.
STALE = (ImageUnreachable, StrangerOnPort, WrongToken)


PROBES = 16
"""Addresses asked at the same time."""


class LiveImage(NamedTuple):
    """An image that answers; `trouble` says in a sentence what is the matter with it, if anything is."""

    name: str
    system: str
    image: str
    url: str
    trouble: str | None = None

    def __str__(self) -> str:
        return f"{self.name} ({self.system}) at {self.url}, {self.image}"


class Images(Protocol):
    """The images of one session."""

    def locate(self, until: float) -> Contact:
        """The image to work in. Raises ImageError."""

    def live(self, until: float) -> tuple[LiveImage, ...]:
        """All that are there, in a stable order. Raises ImageError where there is only one to ask."""

    def choose(self, wanted: str, until: float) -> LiveImage:
        """Work from now on in the one of that name, URL or image file. Raises ImageError."""

    def are_several(self, until: float) -> bool:
        """Whether an answer should tell which image gave it."""


class OneImage:
    """The image that a person named when pharo-mcp was started."""

    def __init__(self, locate: Locate) -> None:
        self.locate = locate

    def live(self, until: float) -> tuple[LiveImage, ...]:
        """See Images."""
        contact = self.locate(until)
        contact.close()
        status = contact.status
        there = LiveImage(status.name, status.system or "Pharo", status.image or "", contact.address.url)
        return (there,)

    def choose(self, wanted: str, until: float) -> LiveImage:
        """See Images."""
        for image in self.live(until):
            if wanted in (image.name, image.url, image.image):
                return image
        raise ChoiceFixed(wanted)

    def are_several(self, until: float) -> bool:
        """See Images."""
        return False


class FoundImages:
    """The images whose connection files lie in a folder; with a name, only those of that name."""

    def __init__(self, folder: str, name: str | None = None) -> None:
        self._folder = folder
        self._name = name
        self._lock = Lock()  # guards what follows
        self._chosen: LiveImage | None = None
        self._counted: tuple[list[str], bool] = [], False

    def locate(self, until: float) -> Contact:
        """See Images."""
        chosen = self._chosen
        files = [file for file in self._files() if chosen is None or _is_same(file, chosen)]
        found = _probe_all(files, until)
        live = [each for each in found if each.contact]
        exact = [each for each in live if chosen and each.image.url == chosen.url]
        meant = exact or live  # none is exact when the chosen one was started again, at another port
        kept = meant[0] if len(meant) == 1 else None
        for each in live:
            if each is not kept:
                each.close()
        if kept and kept.contact:
            return kept.contact
        if live:
            raise SeveralImages([str(each.image) for each in live])
        for each in found:
            if each.error and not isinstance(each.error, STALE):
                raise each.error  # an image is there, and has something the matter with it
        name = chosen.name if chosen else self._name
        raise NoImageFound(self._folder, name, [f"{file.name} at {file.url}" for file in files])

    def live(self, until: float) -> tuple[LiveImage, ...]:
        """See Images."""
        found = _probe_all(self._files(), until)
        for each in found:
            each.close()
        return tuple(each.image for each in found if not isinstance(each.error, STALE))

    def choose(self, wanted: str, until: float) -> LiveImage:
        """See Images."""
        live = self.live(until)
        meant = [image for image in live if wanted in (image.name, image.url, image.image)]
        match meant:
            case [image]:
                with self._lock:
                    self._chosen = image
                return image
            case []:
                raise NoSuchImage(wanted, [str(image) for image in live])
        raise SeveralImages([str(image) for image in meant])

    def are_several(self, until: float) -> bool:
        """See Images. Looks again only when files have come or gone: every answer asks."""
        try:
            names = sorted(os.listdir(self._folder))
        except OSError:
            return False
        with self._lock:
            known, several = self._counted
            if names != known:
                several = len(self.live(until)) > 1
                self._counted = names, several
            return several

    def _files(self) -> list[ConnectionFile]:
        return [file for file in connection_files(self._folder) if self._name in (None, file.name)]


class Probed(NamedTuple):
    """What came of asking at the address in a connection file: a contact, or what was wrong."""

    image: LiveImage
    contact: Contact | None = None
    error: ImageError | None = None

    def close(self) -> None:
        """Leave the image alone again."""
        if self.contact:
            self.contact.close()


def at(address: Address) -> OneImage:
    """The image at a given address."""
    return OneImage(lambda until: Contact.meet(address, until))


def at_url(url: str, folder: str) -> OneImage:
    """The image at a URL, with the token that its connection file has."""

    def locate(until: float) -> Contact:
        for file in connection_files(folder):
            if file.url == url:
                return Contact.meet(file.address, until)
        raise TokenUnknown(url, folder)

    return OneImage(locate)


def _probe_all(files: list[ConnectionFile], until: float) -> list[Probed]:
    """Ask at all the addresses at the same time: a frozen image takes long to be silent."""
    if len(files) < 2:
        return [_probe(file, until) for file in files]
    from concurrent.futures import ThreadPoolExecutor  # slow to import, and seldom needed

    with ThreadPoolExecutor(min(PROBES, len(files))) as pool:
        return list(pool.map(lambda file: _probe(file, until), files))


def _probe(file: ConnectionFile, until: float) -> Probed:
    image = LiveImage(file.name, file.system, file.image, file.url)
    try:
        return Probed(image, Contact.meet(file.address, until))
    except ImageError as error:
        return Probed(image._replace(trouble=error.message.partition("\n")[0]), error=error)


def _is_same(file: ConnectionFile, image: LiveImage) -> bool:
    return (file.name, file.image) == (image.name, image.image)
