"""`pharo-mcp images`: list the live images."""

import sys
from collections.abc import Mapping
from time import monotonic

from pharo_mcp.image.connection.connection_files import folder_in
from pharo_mcp.image.connection.images import FoundImages
from pharo_mcp.image.errors.base import ImageError, to_the_user
from pharo_mcp.image.replies.shapes import write
from pharo_mcp.times import LIST_IMAGES_SECONDS

from .host import Host
from .output import print_json, print_table

HEADINGS = ("name", "system", "address", "image", "")


def run(options: Mapping[str, object]) -> int:
    """Print the live images; that there are none is no failure."""
    folder = folder_in(Host.current().home)
    try:
        live = FoundImages(folder).live(monotonic() + LIST_IMAGES_SECONDS)
    except ImageError as error:
        print(to_the_user(error.message), file=sys.stderr)
        return 1
    if "json" in options:
        print_json([write(image) for image in live])
    elif live:
        rows = [(each.name, each.system, each.url, each.image, each.trouble or "") for each in live]
        print_table(HEADINGS, rows)
    else:
        print(
            f"No live image was found: no connection file in {folder} leads to one.\n"
            "Open your image and evaluate there: PharoMcp start\n"
            "(`pharo-mcp load` prints how to load the companion; `pharo-mcp doctor` finds problems.)",
            file=sys.stderr,
        )
    return 0
