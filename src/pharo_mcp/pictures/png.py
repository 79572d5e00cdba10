"""The flame graph of a profile as PNG, drawn with Pillow."""

import base64
from io import BytesIO

from pharo_mcp.extras import how_to_install
from pharo_mcp.image.replies.profile import Profile

from .layout import HEAD, INK, MARGIN, ROW, SIZE, WIDTH, lay_out

MOST_HEIGHT = 2000
"""Pixels; clients shrink what is larger until nobody can read it. Of a deeper tree the top is drawn."""


class PictureLibraryMissing(Exception):
    """The library for pictures is not installed; the message says how to install it."""

    def __init__(self) -> None:
        super().__init__(
            f"A PNG picture requires Pillow: {how_to_install('pictures')}. "
            "The flame graph is also a resource, as SVG."
        )


def flame_graph_png(profile: Profile) -> str:
    """Draw a profile; the bytes of the picture are in base64.

    Raises:
        PictureLibraryMissing: If Pillow is not installed.
    """
    try:
        from PIL import Image, ImageDraw, ImageFont  # here: optional, and slow to import
    except ImportError as error:
        raise PictureLibraryMissing from error

    graph = lay_out(profile)
    picture = Image.new("RGB", (WIDTH, min(graph.height, MOST_HEIGHT)), "#ffffff")
    draw, font = ImageDraw.Draw(picture), ImageFont.load_default(SIZE)
    draw.text((MARGIN, HEAD - 20), graph.title, INK, font)
    for frame in graph.frames:
        right = max(frame.x + frame.width - 1, frame.x)
        draw.rounded_rectangle((frame.x, frame.y, right, frame.y + ROW - 2), 2, frame.colour)
        if frame.label:
            draw.text((frame.x + 3, frame.y + 2), frame.label, INK, font)
    written = BytesIO()
    picture.save(written, "PNG", optimize=True)
    return base64.b64encode(written.getvalue()).decode()
