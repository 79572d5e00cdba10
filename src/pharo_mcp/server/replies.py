"""Where the answer to a message goes: to the client at once, or into the answer to its batch."""

from collections.abc import Callable

from pharo_mcp.jsonrpc import Id, InternalError, join

from .answers import refusal

BATCH_BYTES = 16 * 1024 * 1024
"""What the answers to one batch may come to: they are kept until the last is there."""

TOO_LONG = InternalError(
    f"The answers to this batch come to more than {BATCH_BYTES} bytes. "
    "The request may have run; its answer is left out. Send such requests one by one."
)

Reply = Callable[[bytes | None], None]
"""Takes the encoded answer to a message, or None if it gets none; called once for every message."""


class BatchReply:
    """Gathers the answers to a batch in the order of its messages, and sends them when all are there."""

    def __init__(self, size: int, send: Callable[[bytes], None]) -> None:
        self._answers: list[bytes | None] = [None] * size
        self._missing = size
        self._bytes = 0
        self._send = send

    def to(self, index: int, request_id: Id | None) -> Reply:
        """Where the answer to one message goes; in the place of one for which no room is left, an error."""

        def reply(answer: bytes | None) -> None:
            if answer and self._bytes + len(answer) > BATCH_BYTES:
                answer = refusal(request_id, TOO_LONG)
            self._answers[index] = answer
            self._bytes += len(answer or b"")
            self._missing -= 1
            if not self._missing and any(self._answers):
                self._send(join(filter(None, self._answers)))

        return reply
