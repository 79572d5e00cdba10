"""Which answer belongs to which question, where several could."""

from typing import Any, Generic, Protocol, TypeVar


class Expectation(Protocol):
    """Something that is to be answered."""

    @property
    def optional(self) -> bool:
        """Whether it may stay without an answer."""

    def admits(self, answer: Any) -> bool:
        """Whether an answer is right for it."""


Expected = TypeVar("Expected", bound=Expectation)


class Matching(Generic[Expected]):
    """Gives each answer to one expectation; those given before change places where that makes room.

    Source: the augmenting paths of any book on bipartite graphs.
    """

    def __init__(self) -> None:
        self.expected: list[Expected] = []
        self._answers: dict[int, Any] = {}

    @property
    def open(self) -> list[Expected]:
        """What must still be answered."""
        return [
            each
            for index, each in enumerate(self.expected)
            if index not in self._answers and not each.optional
        ]

    def take(self, answer: Any) -> bool:
        """Give an answer to what must be answered, else to what may be; false if it is right for nothing."""
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
