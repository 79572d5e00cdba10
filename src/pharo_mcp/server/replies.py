"""Where the answer to a message goes: to the client at once, or into the answer to its batch."""

from collections.abc import Callable

from pharo_mcp.jsonrpc import join

Reply = Callable[[bytes | None], None]
"""Takes the encoded answer to a message, or None if it gets none; called once for every message."""


class BatchReply:
    """Gathers the answers to a batch in the order of its messages, and sends them when all are there."""

    def __init__(self, size: int, send: Callable[[bytes], None]) -> None:
        self._answers: list[bytes | None] = [None] * size
        self._missing = size
        self._send = send

    def to(self, index: int) -> Reply:
        """Where the answer to one message goes."""

        def reply(answer: bytes | None) -> None:
            self._answers[index] = answer
            self._missing -= 1
            if not self._missing and any(self._answers):
                self._send(join(filter(None, self._answers)))

        return reply
