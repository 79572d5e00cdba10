"""Events that clients are notified of without a request."""

from collections.abc import Callable, Mapping
from typing import NamedTuple


def concerns_none(uri: str) -> bool:
    """The rule of an event that changes no resource."""
    return False


class ServerEvent(NamedTuple):
    """Something that happened without a request.

    The topic is `tools`, `resources` or `prompts` when that list has changed, `contents` when the resources
    at the URIs that it `concerns` may have changed, or `message` for a log message of the image (`params`).
    """

    topic: str
    params: Mapping[str, object] = {}
    concerns: Callable[[str], bool] = concerns_none
