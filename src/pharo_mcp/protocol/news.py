"""What happens on its own, for whoever asked to hear of such things."""

from collections.abc import Callable, Mapping
from typing import NamedTuple


def concerns_none(uri: str) -> bool:
    """The rule of news that change nothing that can be read."""
    return False


class News(NamedTuple):
    """Something that happened without a request.

    Its topic is `tools`, `resources` or `prompts` when their list is another one now; `contents` when what
    can be read under the URIs that it `concerns` may be; or `message`, for what an image logged: `params`.
    """

    topic: str
    params: Mapping[str, object] = {}
    concerns: Callable[[str], bool] = concerns_none
