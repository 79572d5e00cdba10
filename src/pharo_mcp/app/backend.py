"""The image of one session and its catalog, for a server or for commands without a client."""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from pharo_mcp.address import Address
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.connection import warm
from pharo_mcp.image.connection_files import folder_in
from pharo_mcp.image.images import FoundImages, Images, at
from pharo_mcp.protocol.catalog import ServerEvent, Tool
from pharo_mcp.times import IMAGE_REQUESTS_SECONDS

from .catalog import LiveCatalog, catalog_for
from .settings import Settings

if TYPE_CHECKING:
    from .own_images import LiveOrPractice
    from .replacing import ReplaceableImage


class Backend:
    """Everything between the server and the image. `publish`, if given, is called with server events.

    `catalog` returns the current catalog; what an image registers is added once it is watched, or asked.
    """

    def __init__(
        self,
        settings: Settings,
        environ: Mapping[str, str],
        publish: Callable[[ServerEvent], None] | None = None,
    ) -> None:
        folder = folder_in(environ.get("HOME") or os.path.expanduser("~"))
        self._own_image = own = own_image(settings, folder)
        images = own or images_for(settings, folder)
        self._image = ImageClient(images, settings.timeout)
        self._built_in = catalog_for(
            self._image, read_only=settings.read_only, tools=settings.tools, confirm=settings.confirm
        )
        self._live_catalog = LiveCatalog(
            self._image,
            self._built_in,
            publish or (lambda event: None),
            read_only=settings.read_only,
            confirm=settings.confirm,
        )
        self.catalog = self._live_catalog.current
        if publish:
            self._image.prepare_to_watch(self._live_catalog.update)

    def find_tool(self, name: str) -> Tool | None:
        """Return the tool of that name; for one that is not built in, wait for an image that is starting."""
        found = self.catalog().find_tool(name)
        return found or self._live_catalog.refresh(IMAGE_REQUESTS_SECONDS).find_tool(name)

    def start(self) -> None:
        """Start the image, if this session starts one."""
        if self._own_image:
            self._own_image.start()

    def get_ready(self) -> None:
        """Do in advance what takes time, and watch the image from then on."""
        self.start()
        evaluate = self._built_in.find_tool("evaluate")
        if evaluate:  # the others compile their schemas when they are called: all at once would take 1.4 MB
            evaluate.input_schema.compile()
        warm()
        self._image.start_to_watch()

    def close(self) -> None:
        """Leave the image; end it if this session started it."""
        self._image.close()
        if self._own_image:
            self._own_image.stop()


def own_image(settings: Settings, folder: str) -> "ReplaceableImage | LiveOrPractice | None":
    """Return the image that this session starts and ends; its connection file will be in `folder`."""
    # Imported here: in most sessions the lists need not wait for what starts images.
    if settings.launch and settings.vm:
        from .own_images import Launch, launched

        return launched(Launch(settings.vm, settings.launch, folder, settings.headless))
    if not (settings.practice or settings.or_practice):
        return None
    from .own_images import LOADING_RULES, PRACTICE_RULES, LiveOrPractice, practice_image, session_command

    rules = LOADING_RULES if settings.load else PRACTICE_RULES
    practice = practice_image(lambda: session_command(settings.load), folder, rules)
    return LiveOrPractice(folder, practice) if settings.or_practice else practice


def images_for(settings: Settings, folder: str) -> Images:
    """Return the images that can be used, by their connection files in a folder or by the settings."""
    if settings.url and settings.token:
        return at(Address.parse(settings.url, settings.token))
    url = settings.url or settings.image_url()
    return FoundImages(folder, Address.parse(url, "none").url if url else settings.image)


def client_for(settings: Settings, environ: Mapping[str, str]) -> ImageClient:
    """Return a client of a live image, for the caller to close. No image is started."""
    folder = folder_in(environ.get("HOME") or os.path.expanduser("~"))
    return ImageClient(images_for(settings, folder), settings.timeout)
