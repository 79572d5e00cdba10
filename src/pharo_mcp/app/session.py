"""What is offered, without a client: for commands."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from pharo_mcp.protocol import Offers

from .settings import Settings


@contextmanager
def offered(settings: Settings, environ: Mapping[str, str]) -> Iterator[Offers]:
    """All that is offered of an image, for as long as the block runs."""
    from .image_side import ImageSide  # here: serving imports it only after the first answer

    side = ImageSide(settings, environ)
    side.start()
    try:
        yield side.offers
    finally:
        side.close()
