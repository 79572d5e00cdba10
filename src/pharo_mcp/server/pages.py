"""The pages of lists."""

from collections.abc import Sequence
from typing import Protocol

from pharo_mcp.protocol.revisions import Revision
from pharo_mcp.wire.jsonrpc import InvalidParams

from .router import RequestContext

PAGE = 250
"""Entries in one page of a list."""


class Listed(Protocol):
    """A tool, resource, template, prompt or task, as lists see it."""

    def encode(self, revision: Revision) -> dict[str, object]:
        """Its wire form."""


def page_of(member: str, entries: Sequence[Listed], context: RequestContext) -> dict[str, object]:
    """The page of a list that begins at the cursor, with the cursor of the next page if there is one."""
    later_pages = range(PAGE, len(entries), PAGE)
    cursors = {None: 0} | {str(start): start for start in later_pages}
    cursor = context.params.get("cursor")
    if not isinstance(cursor, str | None) or cursor not in cursors:
        raise InvalidParams("unknown cursor")
    start = cursors[cursor]
    more = {"nextCursor": str(start + PAGE)} if start + PAGE in later_pages else {}
    return {member: [each.encode(context.revision) for each in entries[start : start + PAGE]], **more}
