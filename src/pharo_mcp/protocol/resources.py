"""Resources: what clients read by URI."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from .call import Call
from .revisions import Revision, omit_none

# One value of a template. RFC 6570 percent-encodes all but unreserved characters; people and models
# write `at:put:` as it is, so only what would end the segment must be encoded.
VALUE = "([^/?#]+)"


class ResourceNotFound(Exception):
    """There is no resource at that URI; the message says what is missing."""


class ResourceContents(NamedTuple):
    """The contents of a resource: text, or bytes in base64."""

    uri: str
    mime_type: str
    text: str | None
    base64: str | None = None

    def encode(self) -> dict[str, object]:
        """The wire form.

        No revision has `type` here. Older documents do, and all known clients ignore unknown members.
        """
        head = {"uri": self.uri, "mimeType": self.mime_type}
        if self.text is None:
            return {**head, "blob": self.base64}
        return {**head, "text": self.text, "type": "text"}


ResourceReader = Callable[[Mapping[str, str], Call], str | tuple[ResourceContents, ...]]
"""Is called with the parameters in the URI (none for a fixed one); returns text or contents.

Raises ResourceNotFound or ToolError.
"""


class Resource(NamedTuple):
    """A resource with a fixed URI."""

    uri: str
    name: str
    description: str
    read: ResourceReader
    title: str | None = None
    mime_type: str = "text/plain"

    def encode(self, revision: Revision) -> dict[str, object]:
        """The wire form, as listed."""
        return omit_none(
            uri=self.uri,
            name=self.name,
            title=self.title if revision.titles else None,
            description=self.description,
            mimeType=self.mime_type,
        )


class ResourceTemplate(NamedTuple):
    """Resources whose URIs have parameters: `{name}` stands for one value (RFC 6570, level 1)."""

    uri_template: str
    name: str
    description: str
    read: ResourceReader
    title: str | None = None
    mime_type: str = "text/plain"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its parameters, in order."""
        return tuple(re.findall(r"\{(\w+)\}", self.uri_template))

    def match(self, uri: str) -> dict[str, str] | None:
        """The parameters of a URI, percent-decoded; None if it does not match."""
        literals_and_names = re.split(r"\{(\w+)\}", self.uri_template)
        names = literals_and_names[1::2]
        pattern = VALUE.join(map(re.escape, literals_and_names[::2]))
        found = re.fullmatch(pattern, uri)
        if found is None:
            return None
        from urllib.parse import unquote

        try:
            values = [unquote(value, errors="strict") for value in found.groups()]
        except UnicodeDecodeError:
            return None
        return dict(zip(names, values, strict=True))

    def encode(self, revision: Revision) -> dict[str, object]:
        """The wire form, as listed."""
        return omit_none(
            uriTemplate=self.uri_template,
            name=self.name,
            title=self.title if revision.titles else None,
            description=self.description,
            mimeType=self.mime_type,
        )
