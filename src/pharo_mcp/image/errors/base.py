"""The base classes of the errors."""

from collections.abc import Mapping


class ImageError(Exception):
    """A request to an image failed. Only subclasses are raised."""

    kind: str = ""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message

    @property
    def details(self) -> Mapping[str, object]:
        """More about the error, for programs."""
        return {}

    def add(self, words: str) -> None:
        """Append a line to the message."""
        self.message = f"{self.message}\n{words}"
        self.args = (self.message,)


class NothingRan(ImageError):
    """The request had no effect, so repeating it is safe. Only subclasses are raised."""
