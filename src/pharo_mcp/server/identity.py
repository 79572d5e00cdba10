"""The name and version of the server."""

from collections.abc import Mapping
from typing import NamedTuple

from pharo_mcp.protocol.revisions import Revision


class Identity(NamedTuple):
    """What the server reports about itself; `instructions` are for the model."""

    name: str
    version: str
    title: str
    instructions: str

    def encode(self, revision: Revision) -> Mapping[str, object]:
        """The wire form of `serverInfo`."""
        title = {"title": self.title} if revision.titles else {}
        return {"name": self.name, **title, "version": self.version}
