"""Keeps the code of superinstructions in the user's cache folder, since compiling it takes a while.

It is code of Python, as in Python's own caches of modules. It is used only by the Python and the modules that
made it, if this user alone can have written it and if its checksum is right.
"""

from __future__ import annotations

import marshal
import zlib
from collections.abc import Mapping
from contextlib import suppress
from itertools import islice
from types import CodeType

from pharo_practice.compiling.templates import Shape
from pharo_practice.tonel.cache_folder import FAULTS, is_trusted, place_of, state_of, write

NAME = "superinstructions"
MOST_KEPT = 2_000
"""An image that answers requests uses about half as many."""
FEWEST = 20
"""How many new ones are worth writing the file anew."""
CHECKSUM = 4
"""Bytes of the checksum of what follows."""
DEPENDENCIES = ("compiling", "machine", "model")
"""The packages on which the code depends."""


def kept_templates() -> dict[Shape, bytes]:
    """The code that was kept, packed, by its shape."""
    place = place_of(NAME)
    if place is None:
        return {}
    try:
        with open(place, "rb") as file:
            if not is_trusted(place, file.fileno()):
                return {}
            checksum, content = file.read(CHECKSUM), file.read()
        if int.from_bytes(checksum, "big") != zlib.crc32(content):
            return {}
        state, kept = marshal.loads(content)  # noqa: S302 - only we can have written it
        return kept if state == state_of(DEPENDENCIES) else {}
    except FAULTS:
        return {}


def unpacked(code: bytes) -> CodeType:
    """The code that was packed."""
    found: CodeType = marshal.loads(code)  # noqa: S302 - the same
    return found


def keep_templates(code: Mapping[Shape, CodeType]) -> None:
    """Keep what an image has used, besides what was kept before, if enough of it is new."""
    place = place_of(NAME)
    if place is None or len(code) < FEWEST:
        return
    kept = kept_templates()
    if len(code.keys() - kept.keys()) < FEWEST:
        return
    used = {shape: marshal.dumps(each) for shape, each in islice(code.items(), MOST_KEPT)}
    newest = dict(islice((used | kept).items(), MOST_KEPT))
    with suppress(OSError):  # the next start does without it
        content = marshal.dumps((state_of(DEPENDENCIES), newest))
        write(place, zlib.crc32(content).to_bytes(CHECKSUM, "big") + content)
