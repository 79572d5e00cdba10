"""The blocks that tool results and prompt messages are made of."""

from collections.abc import Mapping
from typing import NamedTuple


class TextContent(NamedTuple):
    """Text for the model."""

    text: str

    def encode(self) -> dict[str, object]:
        """The wire form."""
        return {"type": "text", "text": self.text}


class ImageContent(NamedTuple):
    """A picture for the model."""

    base64: str
    mime_type: str = "image/png"

    def encode(self) -> dict[str, object]:
        """The wire form."""
        return {"type": "image", "data": self.base64, "mimeType": self.mime_type}


class ResourceLink(NamedTuple):
    """A resource that the client may read."""

    uri: str
    name: str
    mime_type: str

    def encode(self) -> dict[str, object]:
        """The wire form."""
        return {"type": "resource_link", "uri": self.uri, "name": self.name, "mimeType": self.mime_type}


class OtherContent(NamedTuple):
    """A block of another type, such as sound or a resource, in its wire form."""

    members: Mapping[str, object]

    def encode(self) -> dict[str, object]:
        """The wire form."""
        return dict(self.members)


Content = TextContent | ImageContent | ResourceLink | OtherContent


def content_in(members: Mapping[str, object]) -> Content:
    """The content block for its members as the companion sends them."""
    match members:
        case {"type": "text", "text": str(text)}:
            return TextContent(text)
        case {"type": "image", "data": str(base64), "mimeType": str(mime_type)}:
            return ImageContent(base64, mime_type)
        case {"type": "resource", **resource}:
            return OtherContent({"type": "resource", "resource": resource})
    return OtherContent(members)
