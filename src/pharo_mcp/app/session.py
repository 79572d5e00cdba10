"""The catalog and images without a client, for commands."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from .settings import Settings

if TYPE_CHECKING:
    from .backend import Backend
    from .replaceable_image import ReplaceableImage


@contextmanager
def open_backend(settings: Settings, environ: Mapping[str, str]) -> Iterator["Backend"]:
    """The backend for some settings while the block runs."""
    from .backend import Backend  # here: serving imports it only after the first answer

    backend = Backend(settings, environ)
    backend.start()
    try:
        yield backend
    finally:
        backend.close()


def is_open(image: str) -> bool:
    """Whether a program has an image file open; best effort."""
    from .open_images import is_open

    return is_open(image)


def open_launch(machine: str, image: str, folder: str, *, headless: bool) -> "ReplaceableImage":
    """An image that the caller starts and ends in a virtual machine, with its connection file in `folder`."""
    from .launched_image import Launch, launched

    return launched(Launch(machine, image, folder, headless))
