"""The image in use: the one that was named at the start, or one of the live images, and the connection to it.

Connection files of images that have ended are ignored, also if another program has their port now.
"""

import os
from collections.abc import Callable, Iterable, Sequence
from threading import Lock
from time import monotonic
from typing import NamedTuple, TypeVar

from pharo_mcp.address import Address
from pharo_mcp.image.connection import CompanionConnection
from pharo_mcp.image.connection_files import (
    ConnectionFile,
    connection_files,
    images_being_saved,
    wait_until_saved,
)
from pharo_mcp.image.errors import (
    CompanionFault,
    ImageBusy,
    ImageError,
    ImageSaving,
    ImageUnreachable,
    NothingRan,
    RequestCancelled,
    RequestRefused,
    SmalltalkError,
    StrangerOnPort,
    WrongToken,
)
from pharo_mcp.image.hints import usable
from pharo_mcp.image.loading import start_request
from pharo_mcp.image.replies.image import Status

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


Image = TypeVar("Image", ConnectionFile, LiveImage)


def matching(wanted: str, images: Sequence[Image]) -> list[Image]:
    """Return the images of that name or URL; if there is none, those of that image file, or of its name."""
    path = os.path.realpath(os.path.expanduser(wanted))
    return (
        [image for image in images if wanted in (image.name, image.url, image.image)]
        or [image for image in images if path == os.path.realpath(image.image)]
        or [image for image in images if wanted == os.path.basename(image.image)]
    )


class Images:
    """The images that a session can use."""

    def locate(self, until: float) -> CompanionConnection:
        """Connect to the image to use by a deadline (monotonic). Raises ImageError."""
        raise NotImplementedError

    def look(self, until: float) -> CompanionConnection:
        """Connect without starting or ending an image for it. Raises ImageError."""
        return self.locate(until)

    def report_fault(self) -> None:
        """Report that the companion failed; an image that this session started is checked for it."""

    def live(self, until: float) -> tuple[LiveImage, ...]:
        """Return all live images in a stable order. Raises ImageError if the image was named at the start."""
        raise NotImplementedError

    def choose(self, wanted: str, until: float) -> LiveImage:
        """Use the image of that name, URL or image file from now on. Raises ImageError."""
        raise NotImplementedError

    def has_alternatives(self) -> bool:
        """Return whether there were several images to choose from when they were last looked for."""
        return False

    def are_several(self, until: float) -> bool:
        """Return whether several images are live, so that answers should name the image."""
        return False


class OneImage(Images):
    """The image that was named at the start."""

    def live(self, until: float) -> tuple[LiveImage, ...]:
        """See Images."""
        connection = self.locate(until)
        connection.close()
        status = connection.status
        there = LiveImage(status.name, status.system or "Pharo", status.image or "", connection.address.url)
        return (there,)

    def choose(self, wanted: str, until: float) -> LiveImage:
        """See Images."""
        for image in matching(wanted, self.live(until)):
            return image
        raise NothingRan(
            f"{wanted} cannot be chosen: this pharo-mcp was started for one image "
            "(--url, PHARO_MCP_URL or --practice). Only the user can change that, by starting it without.",
            "choiceFixed",
        )


class KnownImage(OneImage):
    """The one image, to which a function connects."""

    def __init__(self, locate: Callable[[float], CompanionConnection]) -> None:
        self._locate = locate

    def locate(self, until: float) -> CompanionConnection:
        """See Images."""
        return self._locate(until)


class FoundImages(Images):
    """The images with connection files in a folder; with a name, only those of that name, URL or file.

    Images whose names begin with `hidden` are not found.
    """

    def __init__(self, folder: str, name: str | None = None, hidden: str | None = None) -> None:
        self._folder = folder
        self._name = name
        self._hidden = hidden
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
            raise several_images([each.image for each in live])
        for each in found:
            if each.error and not isinstance(each.error, STALE):
                raise each.error  # the image is live but cannot be used
        for saved in self._meant(images_being_saved(self._folder)):
            raise ImageSaving(saved.name)  # it closed meanwhile
        name = chosen.name if chosen else self._name
        others = () if chosen or not self._name else FoundImages(self._folder).live(until)
        advice = usable(CHOSEN) if chosen else NAMED if self._name else ""
        raise no_image_found(self._folder, name, files, others, advice)

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
        match found := matching(wanted, live):
            case [image]:
                with self._lock:
                    self._chosen = image
                return image
            case []:
                raise NothingRan(
                    f"No live image has the name, URL or image file {wanted}. {_listed(live)}\n"
                    f"An image that is not listed has no companion that runs. {start_request()}",
                    "noSuchImage",
                )
        raise several_images(found)

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
        if hidden := self._hidden:
            images = [image for image in images if not image.name.startswith(hidden)]
        return images if self._name is None else matching(self._name, images)

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
    """Return the image at a given address."""
    return KnownImage(lambda until: CompanionConnection.connect(address, until))


def no_image_found(
    folder: str,
    name: str | None,
    tried: Sequence[ConnectionFile] = (),
    live: Sequence[LiveImage] = (),
    advice: str = "",
) -> NothingRan:
    """Return the error for no image of that name, or none at all, among the live ones."""
    if name and live:
        message = (
            f"No live Pharo image has the name, URL or image file {name}. Nothing ran. {_listed(live)}\n"
            "Ask the user to choose one of these by its name, URL or file, or evaluate in the "
            "one that is meant: PharoMcp start"
        )
    else:
        wanted = f"Pharo image has the name, URL or image file {name}" if name else "Pharo image was found"
        files = "; ".join(f"{file.name} at {file.url}" for file in tried)
        message = (
            f"No live {wanted}: no connection file in {folder} leads to one"
            f"{f' (tried {files})' if files else ''}. Nothing ran.\n{start_request()}"
        )
        advice = advice or ("" if name else "Without Pharo, pharo-mcp --practice starts a practice image.")
    return NothingRan("\n".join(filter(None, [message, advice])), "noImage")


def several_images(images: Sequence[LiveImage]) -> NothingRan:
    """Return the error for several live images of which none was chosen."""
    listed = [str(image) for image in images]
    return NothingRan(
        f"{len(images)} images are live and none was chosen, so nothing ran:\n{_indented(listed)}\n"
        + usable("Choose one with the tool select_image, by its name or its URL. ")
        + "The user can choose one permanently by --image NAME (or PHARO_MCP_IMAGE).",
        "severalImages",
        {"images": listed},
    )


def _listed(images: Sequence[LiveImage]) -> str:
    return f"Live images:\n{_indented(map(str, images))}" if images else "No image is live."


def _indented(lines: Iterable[str]) -> str:
    return "\n".join(f"    {line}" for line in lines)


def _saved(image: ConnectionFile) -> LiveImage:
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
        return Probed(image, CompanionConnection.connect(file.address, until))
    except ImageError as error:
        return Probed(image._replace(trouble=error.message.partition("\n")[0]), error=error)


def _is_same(file: ConnectionFile | LiveImage, image: LiveImage) -> bool:
    return (file.name, file.image) == (image.name, image.image)


# Errors after which the connection can be used again.
ANSWERS = (SmalltalkError, RequestRefused, ImageBusy, RequestCancelled)
RESTARTED = (
    "The companion in {name} was restarted since the last call, as it is when the image is saved. "
    "Workspace variables, object ids, results and the list of changes are kept; "
    "breakpoints, error ids and what was running are gone."
)
OPENED_AGAIN = (
    "The companion in {name}, or the image, was restarted since the last call. "
    "Workspace variables, object ids and evaluation ids from before are gone; "
    "list_changes shows what can still be undone."
)
ANOTHER = (
    "The image has changed: it is now {name} at {url}. "
    "Variables, object ids and evaluation ids of the previous image do not exist in it."
)
Result = TypeVar("Result")


class CurrentConnection:
    """Connects at the first request and again after each failure.

    Notices when the image has changed or was restarted. `connected` is called with each new connection,
    before any request is sent over it.
    """

    def __init__(
        self, images: Images, connected: Callable[[CompanionConnection], None] = lambda connection: None
    ) -> None:
        self._images = images
        self._connected = connected
        self._connecting = Lock()  # held while connecting, so that it happens once
        self._lock = Lock()  # held briefly; guards the attributes below
        self._current: CompanionConnection | None = None
        self._last: str | None = None  # identity of the last image
        self._sessions: dict[str, Status] = {}
        self._notice: str | None = None

    def use(self, until: float, action: Callable[[CompanionConnection], Result]) -> Result:
        """Do something with the current connection, which is there by `until`.

        After a failure it is replaced, and closed when no thread uses it.
        """
        connection = self._acquire(until)
        try:
            return action(connection)
        except ANSWERS:
            raise
        except BaseException as error:
            if isinstance(error, CompanionFault):
                self._images.report_fault()
            with self._lock:
                self._forget(connection)
            raise
        finally:
            with self._lock:
                connection.users -= 1
                self._close_unused(connection)

    def leave(self) -> None:
        """Connect again at the next request; a connection in use is closed after its answers."""
        with self._lock:
            self._forget(self._current)
            self._last = None

    def recognise(self, connection: CompanionConnection) -> None:
        """Compare the image with the previous one, whenever its status is known."""
        status = connection.status
        with self._lock:
            names = {"name": status.name, "url": connection.address.url}
            key = _identity(status)
            before = self._sessions.get(key, status)
            if before.session != status.session:
                is_open = status.image_session and status.image_session == before.image_session
                self._notice = connection.replacement or (RESTARTED if is_open else OPENED_AGAIN).format(
                    **names
                )
            elif self._last is None:
                self._notice = connection.welcome
            elif self._last != key:
                self._notice = ANOTHER.format(**names)
            self._last = key
            self._sessions[key] = status

    def take_notice(self) -> str | None:
        """Return the notice for the caller, if there is one; returned once."""
        with self._lock:
            notice, self._notice = self._notice, None
            return notice and usable(notice)

    @property
    def current_image(self) -> str | None:
        """The name, URL and file of the image in use, or None before the first connection."""
        with self._lock:
            connection = self._current
        if connection is None:
            return None
        return ", ".join(
            filter(None, (f"{connection.status.name} at {connection.address.url}", connection.status.image))
        )

    def _acquire(self, until: float) -> CompanionConnection:
        if not self._connecting.acquire(timeout=max(0.0, until - monotonic())):
            raise ImageBusy("The image is busy: another request is waiting for its status")
        try:
            with self._lock:
                if self._current is not None:
                    return self._join(self._current)
            connection = self._images.locate(until)
            self.recognise(connection)
            self._connected(connection)
            with self._lock:
                self._current = connection
                return self._join(connection)
        finally:
            self._connecting.release()

    @staticmethod
    def _join(connection: CompanionConnection) -> CompanionConnection:
        connection.users += 1
        return connection

    def _forget(self, connection: CompanionConnection | None) -> None:
        if connection is not None and connection is self._current:
            self._current = None
            self._close_unused(connection)

    def _close_unused(self, connection: CompanionConnection) -> None:
        if connection is not self._current and not connection.users:
            connection.close()


def _identity(status: Status) -> str:
    """Return the name that identifies an image across restarts."""
    return status.image or status.name
