"""What reading a resource has in common: JSON of what the image answers, and what is not there."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from pharo_mcp.image import UnknownClass, UnknownEvaluation, UnknownMethod, UnknownPackage, write
from pharo_mcp.protocol import ResourceNotFound


def as_json(reply: NamedTuple) -> str:
    """What the image answered, as JSON that a person can read."""
    return json.dumps(write(reply), ensure_ascii=False, indent=2)


@contextmanager
def missing_is_not_found() -> Iterator[None]:
    """Let what the image does not have be a resource that is not there."""
    try:
        yield
    except (UnknownClass, UnknownEvaluation, UnknownMethod, UnknownPackage) as unknown:
        raise ResourceNotFound(unknown.message) from unknown
