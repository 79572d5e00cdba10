"""Questions of evaluations that wait for an answer of the client, and who passes them on."""

from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

from .connection import ReplyReader, RequestGate
from .errors import ImageError
from .replies import Asking, request_body

Reply = TypeVar("Reply")

LEFT_LIMIT = 100
"""Evaluations that are remembered after their callers were told that they ask."""


class Asker(Protocol):
    """Passes the questions of an evaluation on to the client. `abilities` says whom the client can ask."""

    @property
    def abilities(self) -> Sequence[str]:
        """Some of `person`, `model` and `roots`."""

    @property
    def continues(self) -> bool:
        """Whether the evaluation was begun by an earlier request."""

    def ask(self, asking: Asking, seconds: float) -> bool:
        """Have the questions asked, and wait so many seconds until one is answered; whether one was."""

    def withdraw(self, evaluation: str) -> None:
        """The evaluation asks no more."""


class Questions(Generic[Reply]):
    """Answers the questions of evaluations, and remembers which evaluations were left asking.

    What happens then, and whether the question was still open, is for whoever follows the evaluation.
    """

    def __init__(self, gate: RequestGate, read: ReplyReader[Reply]) -> None:
        self._gate = gate
        self._read = read
        self._left: dict[str, None] = {}

    def answer(self, evaluation: str, question: str, answer: object) -> Reply | None:
        """Answer a question; what the evaluation does then, None if the image does not take the answer."""
        return self._post({"evaluation": evaluation, "question": question, "answer": answer})

    def decline(self, evaluation: str, question: str, why: str) -> Reply | None:
        """Report that nobody answers a question; `why` is `declined`, `cancelled` or `failed`."""
        return self._post(request_body(evaluation=evaluation, question=question, declined=why))

    def leave(self, evaluation: str) -> None:
        """Remember that an evaluation asks and that nobody waits for it now."""
        self._left[evaluation] = None
        for oldest in list(self._left)[:-LEFT_LIMIT]:
            self.forget(oldest)

    def forget(self, evaluation: str) -> None:
        """Somebody waits for the evaluation again, or it has ended."""
        self._left.pop(evaluation, None)

    def stop_left(self, stop: Callable[[str], object]) -> None:
        """Stop the evaluations that were left asking: nobody will answer them."""
        for evaluation in list(self._left):
            self.forget(evaluation)
            try:
                stop(evaluation)
            except ImageError:
                return  # the others are in the same image

    def _post(self, body: dict[str, object]) -> Reply | None:
        try:
            return self._gate.ask_at_once("/answer", body, self._read)
        except ImageError:
            return None
