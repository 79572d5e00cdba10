"""The answers to a batch, which are sent together."""

from collections.abc import Callable

from pharo_mcp.wire.jsonrpc import Id, InternalError, join

from .answers import encoded_error

BATCH_BYTES = 16 * 1024 * 1024
"""Largest size of the answers to one batch, which are kept until all are there."""

TOO_LONG = InternalError(
    f"The answers to this batch exceed {BATCH_BYTES} bytes. "
    "The request may have run; its answer is omitted. Send such requests one by one."
)

SendAnswer = Callable[[bytes | None], None]
"""Is called once for every message, with its encoded answer, or None if it gets none."""


class BatchReply:
    """Collects the answers to a batch in the order of its messages, and sends them when all are there."""

    def __init__(self, size: int, send: Callable[[bytes], None]) -> None:
        self._answers: list[bytes | None] = [None] * size
        self._missing = size
        self._bytes = 0
        self._send = send

    def to(self, index: int, request_id: Id | None) -> SendAnswer:
        """Accepts the answer to one message; if it does not fit any more, an error takes its place."""

        def reply(answer: bytes | None) -> None:
            if answer and self._bytes + len(answer) > BATCH_BYTES:
                answer = encoded_error(request_id, TOO_LONG)
            self._answers[index] = answer
            self._bytes += len(answer or b"")
            self._missing -= 1
            if not self._missing and any(self._answers):
                self._send(join(filter(None, self._answers)))

        return reply
