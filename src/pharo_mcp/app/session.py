"""The catalog and images without a client, for commands."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.connection.connection_files import folder_in

from .backend import Backend, images_for
from .launched_image import Launch, end_all, launched, record_of
from .replaceable_image import ReplaceableImage
from .settings import Settings


@contextmanager
def open_backend(settings: Settings, environ: Mapping[str, str]) -> Iterator[Backend]:
    """The backend for some settings while the block runs."""
    backend = Backend(settings, environ)
    backend.start()
    try:
        yield backend
    finally:
        backend.close()


@contextmanager
def open_client(settings: Settings, environ: Mapping[str, str]) -> Iterator[ImageClient]:
    """A client of a live image while the block runs. No image is started."""
    folder = folder_in(environ.get("HOME") or os.path.expanduser("~"))
    client = ImageClient(images_for(settings, folder), settings.timeout)
    try:
        yield client
    finally:
        client.close()


def open_launch(
    machine: str, image: str, folder: str, *, headless: bool, log: str | None = None
) -> ReplaceableImage:
    """An image that the caller starts and ends in a virtual machine, with its connection file in `folder`.

    Its output goes into the file `log`, if there is one.
    """
    return launched(Launch(machine, image, folder, headless, log))


def is_left(image: str, folder: str) -> bool:
    """Whether an image file is open because a process of pharo-mcp that was to close it was killed."""
    return record_of(image, folder, orphan=True) is not None


def end_launched(folder: str, image: str | None) -> list[str]:
    """End the images that pharo-mcp has opened and no process of it will close, or the one named.

    Return their files. `folder` is that of connection files.
    """
    return end_all(folder, image)
