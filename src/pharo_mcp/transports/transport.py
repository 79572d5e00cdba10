"""What every transport does."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from pharo_mcp.jsonrpc import BadLine, Message


class EndOfInput(NamedTuple):
    """The peer sends no more; it may still read."""


class ClientGone(NamedTuple):
    """The peer cannot be written to; whatever it asked for is of no use any more."""

    reason: str


Event = Message | BadLine | EndOfInput | ClientGone


class Transport(Protocol):
    """One end of a conversation: messages in, lines out."""

    def start(self, deliver: Callable[[Event], None]) -> None:
        """Hand over every event as it comes, in order, EndOfInput once and last of what was read.

        `deliver` is called from the transport's own threads and must not wait.
        """

    def send(self, line: bytes) -> None:
        """Pass on one line, newline included, or leave it to be passed on: never waits for the peer."""

    def close(self, patience: float) -> str | None:
        """Pass on what was sent, then let go; give up after so many seconds without progress.

        Answers why not all of it was passed on; None if it was.
        """
