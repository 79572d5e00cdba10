"""The supported revisions of MCP, and the differences between them.

Source: the changelogs and schemas of https://modelcontextprotocol.io/specification.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Revision(NamedTuple):
    """One revision of the protocol, and which fields and rules it has.

    A *modern* revision has no handshake: every request names its revision in `params._meta`. All others
    answer batches: 2025-06-18 removed them, but a legacy client that sends one expects an answer.
    """

    name: str
    annotations: bool = True  # hints on tools, since 2025-03-26
    progress_messages: bool = True  # a message in progress notifications, since 2025-03-26
    titles: bool = True  # display names, since 2025-06-18
    meta_of_tools: bool = True  # `_meta` of listed tools, since 2025-06-18
    resource_links: bool = True  # blocks of tool results, since 2025-06-18
    sends_notifications: bool = True  # changed lists, subscriptions, log messages: since 2025-06-18
    tasks: bool = False  # the methods of tasks, in 2025-11-25 only; later ones have an extension for them
    elicitation: bool = True  # clients can ask their person, since 2025-06-18
    modern: bool = False


SECOND = Revision(
    "2025-03-26",
    titles=False,
    meta_of_tools=False,
    resource_links=False,
    sends_notifications=False,
    elicitation=False,
)
FIRST = SECOND._replace(name="2024-11-05", annotations=False, progress_messages=False)
LEGACY_REVISIONS: Mapping[str, Revision] = {
    revision.name: revision
    for revision in (FIRST, SECOND, Revision("2025-06-18"), Revision("2025-11-25", tasks=True))
}
NEWEST_LEGACY = LEGACY_REVISIONS["2025-11-25"]
MODERN_REVISIONS: Mapping[str, Revision] = {"2026-07-28": Revision("2026-07-28", modern=True)}
