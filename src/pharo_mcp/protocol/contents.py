"""The blocks that tool results and prompt messages are made of."""

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


Content = TextContent | ImageContent
