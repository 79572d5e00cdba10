"""The revisions of MCP that are served, and what differs between them.

Source: the changelogs and schemas of https://modelcontextprotocol.io/specification.
"""

from collections.abc import Mapping
from typing import NamedTuple


class Revision(NamedTuple):
    """One revision of the protocol: which of its fields and rules it has.

    A *modern* revision has no handshake: every request names its revision in `params._meta`.
    """

    name: str
    annotations: bool = True  # hints on tools, since 2025-03-26
    progress_messages: bool = True  # words beside the number, since 2025-03-26
    titles: bool = True  # names for people, since 2025-06-18
    structured: bool = True  # outputSchema and structuredContent, since 2025-06-18
    tells_news: bool = True  # lists that change, subscriptions, messages: since 2025-06-18
    modern: bool = False

    @property
    def batches(self) -> bool:
        """Whether arrays of messages are answered.

        2025-06-18 took them out again, but a legacy client that sends one wants its answer.
        """
        return not self.modern


LEGACY_REVISIONS: Mapping[str, Revision] = {
    revision.name: revision
    for revision in (
        Revision(
            "2024-11-05",
            annotations=False,
            progress_messages=False,
            titles=False,
            structured=False,
            tells_news=False,
        ),
        Revision("2025-03-26", titles=False, structured=False, tells_news=False),
        Revision("2025-06-18"),
        Revision("2025-11-25"),
    )
}
NEWEST_LEGACY = LEGACY_REVISIONS["2025-11-25"]
MODERN_REVISIONS: Mapping[str, Revision] = {"2026-07-28": Revision("2026-07-28", modern=True)}


def given(**members: object) -> dict[str, object]:
    """The members of a JSON object that have a value: those that are None are left out."""
    return {name: value for name, value in members.items() if value is not None}
