"""What is offered, and images of our own, without a client: for commands."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .settings import Settings

if TYPE_CHECKING:
    from .image_side import ImageSide
    from .launched import Launched


@contextmanager
def offered(settings: Settings, environ: Mapping[str, str]) -> Iterator["ImageSide"]:
    """An image with all that is offered of it, for as long as the block runs."""
    from .image_side import ImageSide  # here: serving imports it only after the first answer

    side = ImageSide(settings, environ)
    side.start()
    try:
        yield side
    finally:
        side.close()


def is_open(image: str) -> bool:
    """Whether a running program has an image open; best effort."""
    from .open_images import is_open

    return is_open(image)


def open_launch(machine: str, image: str, folder: str, *, headless: bool) -> "Launched":
    """An image that we start, and end, in a virtual machine; its connection file will be in that folder."""
    from .launched import Launch, Launched

    return Launched(Launch(machine, image, folder, headless))
