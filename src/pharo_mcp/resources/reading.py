"""A reply of the image as JSON, for resources."""

import json
from typing import NamedTuple

from pharo_mcp.image.replies.shapes import write


def as_json(reply: NamedTuple) -> str:
    """Return a reply of the image as indented JSON."""
    return json.dumps(write(reply), ensure_ascii=False, indent=2)
