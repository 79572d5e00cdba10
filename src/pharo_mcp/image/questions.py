"""The questions that evaluations ask the user: who passes them on, and who answers them."""

from collections.abc import Callable, Mapping, Sequence
from time import monotonic
from typing import Protocol

from pharo_mcp.image.connection import Endpoint, Outcome
from pharo_mcp.image.endpoints import ANSWER
from pharo_mcp.image.errors import ImageError
from pharo_mcp.image.replies.evaluations import Asking
from pharo_mcp.times import PROGRESS_SECONDS

MOST_UNANSWERED = 100
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
        """Take back the questions of an evaluation that no longer asks them."""


Follow = Callable[[str, float], Outcome]
"""Waits up to these seconds for an evaluation."""
AskAtOnce = Callable[[Endpoint[Outcome], Mapping[str, object]], Outcome]
"""Sends a request that the image answers at once."""


class Questions:
    """Answers the questions of evaluations, and remembers the evaluations whose callers no longer wait.

    Whether a question was still open, the request that follows the evaluation reports.
    """

    def __init__(self, ask_at_once: AskAtOnce) -> None:
        self._ask_at_once = ask_at_once
        self._unanswered: dict[str, None] = {}

    def answer(self, evaluation: str, question: str, answer: object) -> Outcome | None:
        """Answer a question. Return how the evaluation goes on, or None if the image refuses the answer."""
        return self._post(evaluation, {"question": question, "answer": answer})

    def decline(self, evaluation: str, question: str, why: str) -> Outcome | None:
        """Report why a question has no answer (`declined`, `cancelled` or `failed`); see `answer`."""
        return self._post(evaluation, {"question": question, "declined": why})

    def have_answered(self, asking: Asking, asker: Asker, end: float, follow: Follow) -> Outcome:
        """Have the questions of an evaluation asked until the time is over. Return how it goes on.

        The image is asked every second whether the evaluation still waits, since somebody may stop it.
        """
        evaluation = asking.evaluation
        outcome: Outcome = asking
        try:
            while isinstance(outcome, Asking):
                self.note_unanswered(evaluation)
                rest = max(0.0, end - monotonic())
                # At the end too: it may be new.
                was_answered = asker.ask(outcome, min(rest, PROGRESS_SECONDS))
                if not (rest or was_answered):
                    break
                outcome = follow(evaluation, max(0.0, end - monotonic()) if was_answered else 0.0)
        except ImageError:
            self._end(evaluation, asker)
            raise
        if not isinstance(outcome, Asking):
            self._end(evaluation, asker)
        return outcome

    def note_unanswered(self, evaluation: str) -> None:
        """Note that an evaluation asks, and that nobody waits for it now."""
        self._unanswered[evaluation] = None
        for oldest in list(self._unanswered)[:-MOST_UNANSWERED]:
            self.note_continued(oldest)

    def note_continued(self, evaluation: str) -> bool:
        """Note that an evaluation goes on, has ended, or has a caller again. Return whether it had none."""
        was_unanswered = evaluation in self._unanswered
        self._unanswered.pop(evaluation, None)
        return was_unanswered

    def stop_unanswered(self, stop: Callable[[str], object]) -> None:
        """Stop the evaluations whose questions will have no answer any more."""
        for evaluation in list(self._unanswered):
            self.note_continued(evaluation)
            try:
                stop(evaluation)
            except ImageError:
                return  # the others are in the same image

    def _end(self, evaluation: str, asker: Asker) -> None:
        self.note_continued(evaluation)
        asker.withdraw(evaluation)

    def _post(self, evaluation: str, body: Mapping[str, object]) -> Outcome | None:
        # Before it goes on, since it may ask the next question at once.
        was_unanswered = self.note_continued(evaluation)
        try:
            outcome = self._ask_at_once(ANSWER, {"evaluation": evaluation, **body})
        except ImageError:
            outcome = None
        if was_unanswered and (outcome is None or isinstance(outcome, Asking)):
            self.note_unanswered(evaluation)
        return outcome
