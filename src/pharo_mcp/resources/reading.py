"""What the resources share: JSON of a reply, and the error for what does not exist."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from pharo_mcp.image import UnknownClass, UnknownEvaluation, UnknownMethod, UnknownPackage, write
from pharo_mcp.protocol import ResourceNotFound


def as_json(reply: NamedTuple) -> str:
    """Return a reply of the image as indented JSON."""
    return json.dumps(write(reply), ensure_ascii=False, indent=2)


@contextmanager
def missing_is_not_found() -> Iterator[None]:
    """Raise ResourceNotFound where the image does not know what a URI names."""
    try:
        yield
    except (UnknownClass, UnknownEvaluation, UnknownMethod, UnknownPackage) as unknown:
        raise ResourceNotFound(unknown.message) from unknown
