"""Matching of answers to the expectations that they fulfil."""

from typing import Any, Generic, Protocol, TypeVar


class Expectation(Protocol):
    """An expected answer."""

    @property
    def optional(self) -> bool:
        """Whether the answer may be missing."""

    def admits(self, answer: Any) -> bool:
        """Whether an answer is valid for it."""


Item = TypeVar("Item", bound=Expectation)


class Matching(Generic[Item]):
    """Assigns each answer to one expectation; earlier answers are reassigned if necessary.

    Source: augmenting paths in bipartite graphs, as in any textbook.
    """

    def __init__(self) -> None:
        self.expected: list[Item] = []
        self._answers: dict[int, Any] = {}

    @property
    def open(self) -> list[Item]:
        """The required expectations without an answer."""
        return [
            each
            for index, each in enumerate(self.expected)
            if index not in self._answers and not each.optional
        ]

    def take(self, answer: Any) -> bool:
        """Assign an answer, to required expectations first; return whether it fulfils any."""
        return any(self._place(answer, set(), also_optional=each) for each in (False, True))

    def _place(self, answer: Any, tried: set[int], *, also_optional: bool) -> bool:
        right = [
            index for index, each in enumerate(self.expected) if index not in tried and each.admits(answer)
        ]
        for index in right:
            if index not in self._answers and (also_optional or not self.expected[index].optional):
                self._answers[index] = answer
                return True
        for index in right:
            if index in self._answers and index not in tried:
                tried.add(index)
                if self._place(self._answers[index], tried, also_optional=also_optional):
                    self._answers[index] = answer
                    return True
        return False
