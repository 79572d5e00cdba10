"""The interface of transports, which carry whole messages between a client and a server."""

from collections.abc import Callable
from typing import NamedTuple, Protocol

from .jsonrpc import BadLine, Id, Message


class EndOfInput(NamedTuple):
    """The peer has closed its output; it may still read."""


class ClientGone(NamedTuple):
    """Writing to the peer failed; its requests need no answer."""

    reason: str


TransportEvent = Message | BadLine | EndOfInput | ClientGone


class Transport(Protocol):
    """One end of a connection: receives messages and sends lines."""

    def start(self, deliver: Callable[[TransportEvent], None]) -> None:
        """Start to pass each event to `deliver`, in order; EndOfInput comes once, after all input.

        `deliver` is called from the transport's own threads and must not block.
        """

    def send(self, line: bytes, related: Id | None = None) -> None:
        """Send one line, including its newline, now or later; never blocks on the peer.

        A line that is no answer may be `related` to a request, by its id.
        """

    def close(self, timeout: float) -> str | None:
        """Deliver pending lines and close; give up after `timeout` seconds without progress.

        Returns why some lines were not delivered; None if all were.
        """
