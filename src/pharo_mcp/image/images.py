"""The image to use: the one that was named at the start, or one of the live images.

Connection files of images that have ended are ignored, also if another program has their port now.
"""

import os
from collections.abc import Callable, Sequence
from threading import Lock
from typing import NamedTuple, Protocol, TypeVar

from pharo_mcp.address import Address
from pharo_mcp.image.connection import CompanionConnection
from pharo_mcp.image.connection_files import (
    ConnectionFile,
    SavedImage,
    connection_files,
    images_being_saved,
    wait_until_saved,
)
from pharo_mcp.image.errors import (
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

Locate = Callable[[float], CompanionConnection]
"""Connects to the image to use by a deadline (monotonic). Raises ImageError."""
# Errors that show that the image of a connection file has ended.
STALE = (ImageUnreachable, StrangerOnPort, WrongToken)
CHOSEN = "It was chosen with the tool select_image, which can also choose another live image."
NAMED = (
    "--image (PHARO_MCP_IMAGE) chooses a live image. `pharo-mcp launch --image FILE` starts an image file; "
    "in a client's entry, --launch FILE does."
)
PROBES = 16
"""Addresses that are asked at the same time."""


class LiveImage(NamedTuple):
    """A live image; `trouble` is a sentence if it cannot be used as it is."""

    name: str
    system: str
    image: str
    url: str
    trouble: str | None = None

    def __str__(self) -> str:
        return f"{self.name} ({self.system}) at {self.url}, {self.image}"


Image = TypeVar("Image", ConnectionFile, LiveImage, SavedImage)


def meant(wanted: str, images: Sequence[Image]) -> list[Image]:
    """Return the images of that name or URL; if there is none, those of that image file, or of its name."""
    path = os.path.realpath(os.path.expanduser(wanted))
    return (
        [image for image in images if wanted in (image.name, image.url, image.image)]
        or [image for image in images if path == os.path.realpath(image.image)]
        or [image for image in images if wanted == os.path.basename(image.image)]
    )


class Images(Protocol):
    """The images that a session can use."""

    def locate(self, until: float) -> CompanionConnection:
        """Connect to the image to use. Raises ImageError."""

    def look(self, until: float) -> CompanionConnection:
        """Connect without starting or ending an image for it. Raises ImageError."""

    def report_fault(self) -> None:
        """Report that the companion failed; an image that this session started is checked for it."""

    def live(self, until: float) -> tuple[LiveImage, ...]:
        """All live images, in a stable order. Raises ImageError if the image was named at the start."""

    def choose(self, wanted: str, until: float) -> LiveImage:
        """Use the image of that name, URL or image file from now on. Raises ImageError."""

    def has_alternatives(self) -> bool:
        """Whether there were several images to choose from when they were last looked for."""

    def are_several(self, until: float) -> bool:
        """Whether several images are live, so that answers should name the image."""


class OneImage:
    """The image that was named at the start."""

    def __init__(
        self,
        locate: Locate,
        look: Locate | None = None,
        report_fault: Callable[[], None] = lambda: None,
    ) -> None:
        self.locate = locate
        self.look = look or locate
        self.report_fault = report_fault

    def live(self, until: float) -> tuple[LiveImage, ...]:
        """See Images."""
        connection = self.locate(until)
        connection.close()
        status = connection.status
        there = LiveImage(status.name, status.system or "Pharo", status.image or "", connection.address.url)
        return (there,)

    def choose(self, wanted: str, until: float) -> LiveImage:
        """See Images."""
        for image in meant(wanted, self.live(until)):
            return image
        raise ChoiceFixed(wanted)

    def has_alternatives(self) -> bool:
        """See Images."""
        return False

    def are_several(self, until: float) -> bool:
        """See Images."""
        return False


class FoundImages:
    """The images with connection files in a folder; with a name, only those of that name, URL or file."""

    def __init__(self, folder: str, name: str | None = None) -> None:
        self._folder = folder
        self._name = name
        self._lock = Lock()  # guards what follows
        self._chosen: LiveImage | None = None
        self._counted: tuple[list[str], bool] = [], False
        self._has_alternatives = False

    def locate(self, until: float) -> CompanionConnection:
        """See Images."""
        chosen = self._chosen
        wait_until_saved(self._folder, self._meant, until)
        files = self._meant(connection_files(self._folder))
        found = _probe_all(files, until)
        live = [each for each in found if each.connection]
        if chosen is None:
            self._has_alternatives = len(live) > 1
        exact = [each for each in live if chosen and each.image.url == chosen.url]
        candidates = exact or live  # none is exact if the chosen one was restarted on another port
        kept = candidates[0] if len(candidates) == 1 else None
        for each in live:
            if each is not kept:
                each.close()
        if kept and kept.connection:
            return kept.connection
        if live:
            raise SeveralImages([str(each.image) for each in live])
        for each in found:
            if each.error and not isinstance(each.error, STALE):
                raise each.error  # the image is live but cannot be used
        name = chosen.name if chosen else self._name
        others = () if chosen or not self._name else FoundImages(self._folder).live(until)
        tried = [f"{file.name} at {file.url}" for file in files]
        missing = NoImageFound(self._folder, name, tried, [str(image) for image in others])
        if chosen or self._name:
            missing.add(CHOSEN if chosen else NAMED)
        raise missing

    def look(self, until: float) -> CompanionConnection:
        """See Images."""
        return self.locate(until)

    def report_fault(self) -> None:
        """See Images. An image that somebody else started is left alone."""

    def live(self, until: float) -> tuple[LiveImage, ...]:
        """See Images."""
        found = _probe_all(self._named(connection_files(self._folder)), until)
        for each in found:
            each.close()
        live = (
            *(each.image for each in found if not isinstance(each.error, STALE)),
            *map(_saved, self._named(images_being_saved(self._folder))),
        )
        self._has_alternatives = len(live) > 1
        return live

    def choose(self, wanted: str, until: float) -> LiveImage:
        """See Images."""
        live = self.live(until)
        match found := meant(wanted, live):
            case [image]:
                with self._lock:
                    self._chosen = image
                return image
            case []:
                raise NoSuchImage(wanted, [str(image) for image in live])
        raise SeveralImages([str(image) for image in found])

    def has_alternatives(self) -> bool:
        """See Images."""
        return self._has_alternatives

    def are_several(self, until: float) -> bool:
        """See Images. Connects again only when files have changed: every answer calls this."""
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

    def _named(self, images: Sequence[Image]) -> Sequence[Image]:
        return images if self._name is None else meant(self._name, images)

    def _meant(self, images: Sequence[Image]) -> Sequence[Image]:
        chosen = self._chosen
        return [image for image in self._named(images) if chosen is None or _is_same(image, chosen)]


class Probed(NamedTuple):
    """The result of connecting to the address in a connection file: a connection or an error."""

    image: LiveImage
    connection: CompanionConnection | None = None
    error: ImageError | None = None

    def close(self) -> None:
        """Close the connection, if there is one."""
        if self.connection:
            self.connection.close()


def at(address: Address) -> OneImage:
    """The image at a given address."""
    return OneImage(lambda until: CompanionConnection.meet(address, until))


def at_url(url: str, folder: str) -> OneImage:
    """The image at a URL, with the token that its connection file has."""

    def locate(until: float) -> CompanionConnection:
        wait_until_saved(folder, lambda images: [image for image in images if image.url == url], until)
        for file in connection_files(folder):
            if file.url == url:
                return CompanionConnection.meet(file.address, until)
        raise TokenUnknown(url, folder)

    return OneImage(locate)


def _saved(image: SavedImage) -> LiveImage:
    return LiveImage(image.name, image.system, image.image, image.url, "it is being saved")


def _probe_all(files: Sequence[ConnectionFile], until: float) -> list[Probed]:
    """Connect to all addresses at the same time: a frozen image answers only by a timeout."""
    if len(files) < 2:
        return [_probe(file, until) for file in files]
    from concurrent.futures import ThreadPoolExecutor  # slow to import, and rarely needed

    with ThreadPoolExecutor(min(PROBES, len(files))) as pool:
        return list(pool.map(lambda file: _probe(file, until), files))


def _probe(file: ConnectionFile, until: float) -> Probed:
    image = LiveImage(file.name, file.system, file.image, file.url)
    try:
        return Probed(image, CompanionConnection.meet(file.address, until))
    except ImageError as error:
        return Probed(image._replace(trouble=error.message.partition("\n")[0]), error=error)


def _is_same(file: ConnectionFile | LiveImage | SavedImage, image: LiveImage) -> bool:
    return (file.name, file.image) == (image.name, image.image)
