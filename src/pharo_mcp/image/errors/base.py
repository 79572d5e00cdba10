"""The base classes of the errors."""

import re
from collections.abc import Mapping

REQUEST = re.compile(r"\b([Aa])sk the user to (\w)")
"""How a message asks an assistant for what only a person can do."""


def to_the_user(message: str) -> str:
    """Return a message to an assistant as one to its user: without "ask the user to"."""
    return REQUEST.sub(lambda request: request[2].upper() if request[1] == "A" else request[2], message)


class ImageError(Exception):
    """A request to an image failed; the message is one to an assistant. Only subclasses are raised."""

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
