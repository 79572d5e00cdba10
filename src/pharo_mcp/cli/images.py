"""`pharo-mcp images`: the live images as a table."""

import json
import sys
from collections.abc import Mapping
from time import monotonic

from pharo_mcp.image import FoundImages, ImageError, folder_in, write

from .host import Host
from .output import print_table

PATIENCE = 5.0
"""Seconds that an image has for saying that it is there."""
HEADS = ("name", "system", "address", "image", "")


def run(options: Mapping[str, object]) -> int:
    """List them; 1 if there is none."""
    folder = folder_in(Host.current().home)
    try:
        live = FoundImages(folder).live(monotonic() + PATIENCE)
    except ImageError as error:
        print(error.message, file=sys.stderr)
        return 1
    if "json" in options:
        print(json.dumps([write(image) for image in live]))
    elif live:
        rows = [(each.name, each.system, each.url, each.image, each.trouble or "") for each in live]
        print_table(HEADS, rows)
    else:
        print(
            f"No live image: none in {folder} answers.\nOpen your image and evaluate there: PharoMcp start\n"
            "(`pharo-mcp load` tells how to load the companion, `pharo-mcp doctor` what is wrong.)",
            file=sys.stderr,
        )
    return 0 if live else 1
