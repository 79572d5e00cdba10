"""The image of one session, and what is offered of it."""

import os
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from pharo_mcp.image import (
    TOTAL,
    Address,
    FoundImages,
    ImageClient,
    Images,
    OneImage,
    at,
    at_url,
    folder_in,
    warm,
)
from pharo_mcp.protocol import News, Offers, Tool

from .offers import offers_for
from .registered import CurrentOffers
from .settings import Settings

if TYPE_CHECKING:
    from .launched import Launched
    from .stand_in import StandIn


class ImageSide:
    """All that lies between what clients ask and the image; `tell`, if given, takes what is news to them."""

    def __init__(
        self,
        settings: Settings,
        environ: Mapping[str, str],
        tell: Callable[[News], None] | None = None,
    ) -> None:
        folder = folder_in(environ.get("HOME") or os.path.expanduser("~"))
        self._ours = image_of_ours(settings, folder)
        images = OneImage(self._ours.locate) if self._ours else images_for(settings, folder)
        self._image = ImageClient(images, settings.timeout)
        self._built_in = offers_for(
            self._image,
            structured=settings.structured,
            read_only=settings.read_only,
            all_tools=settings.tools == "all",
        )
        self._current = CurrentOffers(
            self._image, self._built_in, tell or (lambda news: None), read_only=settings.read_only
        )
        if tell:
            self._image.prepare_to_watch(self._current.hear)

    @property
    def offers(self) -> Offers:
        """What is offered now; the image adds to it once it is watched, or asked."""
        return self._current.now._replace(ask_anew=self._current.ask)

    def find_tool(self, name: str) -> Tool | None:
        """The tool of that name; an image that may still be starting is asked for what is not built in."""
        return self.offers.find_tool(name) or self._current.ask(TOTAL).find_tool(name)

    def start(self) -> None:
        """Start the image, if it is ours to start."""
        if self._ours:
            self._ours.start()

    def get_ready(self) -> None:
        """Do what takes time before somebody waits for it, and watch the image from then on."""
        self.start()
        for tool in self._built_in.tools:  # the first check of arguments compiles their schema
            if tool.listed:
                tool.input_schema.compile()
        warm()
        self._image.start_to_watch()

    def close(self) -> None:
        """Leave the image; end it if we started it."""
        self._image.close()
        if self._ours:
            self._ours.stop()


def image_of_ours(settings: Settings, folder: str) -> "StandIn | Launched | None":
    """The image that we start, and end; its connection file will be in that folder.

    Imported here is what only those need who let us start one.
    """
    if settings.launch and settings.vm:
        from .launched import Launch, Launched

        return Launched(Launch(settings.vm, settings.launch, folder, settings.headless))
    if settings.stand_in:
        from .stand_in import StandIn

        return StandIn()
    return None


def images_for(settings: Settings, folder: str) -> Images:
    """The images that may be meant, by their connection files in a folder or by what was set."""
    if settings.url is None:
        return FoundImages(folder, settings.image)
    if settings.token is None:
        return at_url(Address.parse(settings.url, "none").url, folder)
    return at(Address.parse(settings.url, settings.token))
