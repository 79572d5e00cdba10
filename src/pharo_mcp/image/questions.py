"""The questions that evaluations ask the user: who passes them on, and who answers them."""

from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Protocol

from pharo_mcp.image.endpoints import ANSWER, Outcome
from pharo_mcp.image.errors import ImageError
from pharo_mcp.image.gate import RequestGate
from pharo_mcp.image.replies.evaluations import Asking
from pharo_mcp.times import PROGRESS_SECONDS

LEFT_LIMIT = 100
"""Evaluations that are remembered after their callers were told that they ask."""


class Asker(Protocol):
    """Passes the questions of an evaluation on to the client. `can_ask` says whom the client can ask."""

    @property
    def can_ask(self) -> Sequence[str]:
        """Some of `person`, `model` and `roots`."""

    @property
    def continues(self) -> bool:
        """Whether the evaluation was begun by an earlier request."""

    def ask(self, asking: Asking, seconds: float) -> bool:
        """Ask the questions and wait up to these seconds for an answer. Return whether one came."""

    def withdraw(self, evaluation: str) -> None:
        """Take back the questions of an evaluation: it asks no more."""


Follow = Callable[[str, float], Outcome]
"""Waits up to these seconds for an evaluation."""


class Questions:
    """Answers the questions of evaluations, and remembers which evaluations were left asking.

    What happens then, and whether the question was still open, is for whoever follows the evaluation.
    """

    def __init__(self, gate: RequestGate) -> None:
        self._gate = gate
        self._left: dict[str, None] = {}

    def answer(self, evaluation: str, question: str, answer: object) -> Outcome | None:
        """Answer a question; what the evaluation does then, None if the image does not take the answer."""
        return self._post(evaluation, {"question": question, "answer": answer})

    def decline(self, evaluation: str, question: str, why: str) -> Outcome | None:
        """Report that nobody answers a question; `why` is `declined`, `cancelled` or `failed`."""
        return self._post(evaluation, {"question": question, "declined": why})

    def have_answered(self, asking: Asking, asker: Asker, end: float, follow: Follow) -> Outcome:
        """Have the questions of an evaluation asked until the time is over; how it goes on.

        The image is asked every second whether the evaluation still waits, since somebody may stop it.
        """
        evaluation = asking.evaluation
        outcome: Outcome = asking
        try:
            while isinstance(outcome, Asking):
                self.leave(evaluation)
                rest = max(0.0, end - monotonic())
                was_answered = asker.ask(
                    outcome, min(rest, PROGRESS_SECONDS)
                )  # at the end too: it may be new
                if not (rest or was_answered):
                    break
                outcome = follow(evaluation, max(0.0, end - monotonic()) if was_answered else 0.0)
        except ImageError:
            self._end(evaluation, asker)
            raise
        if not isinstance(outcome, Asking):
            self._end(evaluation, asker)
        return outcome

    def leave(self, evaluation: str) -> None:
        """Remember that an evaluation asks and that nobody waits for it now."""
        self._left[evaluation] = None
        for oldest in list(self._left)[:-LEFT_LIMIT]:
            self.forget(oldest)

    def forget(self, evaluation: str) -> bool:
        """Somebody waits for the evaluation again, or it goes on or has ended; whether it was left asking."""
        was_left = evaluation in self._left
        self._left.pop(evaluation, None)
        return was_left

    def stop_left(self, stop: Callable[[str], object]) -> None:
        """Stop the evaluations that were left asking: nobody will answer them."""
        for evaluation in list(self._left):
            self.forget(evaluation)
            try:
                stop(evaluation)
            except ImageError:
                return  # the others are in the same image

    def _end(self, evaluation: str, asker: Asker) -> None:
        self.forget(evaluation)
        asker.withdraw(evaluation)

    def _post(self, evaluation: str, body: Mapping[str, object]) -> Outcome | None:
        was_left = self.forget(evaluation)  # before it goes on, since it may ask the next question at once
        try:
            outcome = self._gate.ask_at_once(ANSWER, {"evaluation": evaluation, **body})
        except ImageError:
            outcome = None
        if was_left and (outcome is None or isinstance(outcome, Asking)):
            self.leave(evaluation)
        return outcome
