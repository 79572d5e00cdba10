"""Resources: what can be read under a URI."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import NamedTuple

from .call import Call
from .revisions import Revision, given

# One value of a template. RFC 6570 percent-encodes all but unreserved characters; people and models
# write `at:put:` as it is, so only what would end the segment must be encoded.
VALUE = "([^/?#]+)"


class ResourceNotFound(Exception):
    """Nothing can be read under that URI; the sentence says what is not there."""


class ResourceContents(NamedTuple):
    """What was read: text, or bytes in base64."""

    uri: str
    mime_type: str
    text: str | None
    base64: str | None = None

    def encode(self) -> dict[str, object]:
        """The wire form.

        No revision has `type` here; older documents do, and every known client ignores what it does not know.
        """
        head = {"uri": self.uri, "mimeType": self.mime_type}
        if self.text is None:
            return {**head, "blob": self.base64}
        return {**head, "text": self.text, "type": "text"}


Read = Callable[[Mapping[str, str], Call], str | tuple[ResourceContents, ...]]
"""Takes the parameters that a template found in the URI (none for a fixed one) and answers what is there.

Raises ResourceNotFound or ToolError.
"""


class Resource(NamedTuple):
    """Something that can be read under one URI."""

    uri: str
    name: str
    description: str
    read: Read
    title: str | None = None
    mime_type: str = "text/plain"

    def encode(self, revision: Revision) -> dict[str, object]:
        """The wire form, as listed."""
        return given(
            uri=self.uri,
            name=self.name,
            title=self.title if revision.titles else None,
            description=self.description,
            mimeType=self.mime_type,
        )


class ResourceTemplate(NamedTuple):
    """A family of resources: `{name}` in its URI stands for one value (RFC 6570, level 1)."""

    uri_template: str
    name: str
    description: str
    read: Read
    title: str | None = None
    mime_type: str = "text/plain"

    @property
    def names(self) -> tuple[str, ...]:
        """The names of its parameters, in their order."""
        return tuple(re.findall(r"\{(\w+)\}", self.uri_template))

    def match(self, uri: str) -> dict[str, str] | None:
        """The values that make this template that URI, percent-decoded; None if none do."""
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
        return given(
            uriTemplate=self.uri_template,
            name=self.name,
            title=self.title if revision.titles else None,
            description=self.description,
            mimeType=self.mime_type,
        )
