"""Evaluations that were left asking are remembered, so that they end with the session."""

from collections.abc import Sequence
from time import monotonic

import pytest

from image.servers import nobodys_port
from pharo_mcp.address import Address
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.connection import Outcome
from pharo_mcp.image.errors import AnswerLost
from pharo_mcp.image.images import at
from pharo_mcp.image.questions import MOST_UNANSWERED, Questions
from pharo_mcp.image.replies.evaluations import Asking, Question


@pytest.fixture
def questions() -> Questions:
    """Those of an image that is not there."""
    return ImageClient(at(Address(nobodys_port(), "none"))).questions


def stopped(questions: Questions) -> list[str]:
    stopped: list[str] = []
    questions.stop_unanswered(stopped.append)
    return stopped


def test_what_was_left_is_stopped_once(questions: Questions) -> None:
    for evaluation in ("e-1", "e-2", "e-1"):
        questions.note_unanswered(evaluation)
    assert stopped(questions) == ["e-1", "e-2"]
    assert stopped(questions) == []


def test_what_is_waited_for_again_is_not_stopped(questions: Questions) -> None:
    questions.note_unanswered("e-1")
    questions.note_continued("e-1")
    questions.note_continued("e-unknown")
    assert stopped(questions) == []


def test_the_oldest_are_forgotten(questions: Questions) -> None:
    for number in range(MOST_UNANSWERED + 2):
        questions.note_unanswered(f"e-{number}")
    assert stopped(questions) == [f"e-{number}" for number in range(2, MOST_UNANSWERED + 2)]


def test_an_image_that_is_gone_is_not_asked_again_and_again(questions: Questions) -> None:
    tried: list[str] = []

    def stop(evaluation: str) -> None:
        tried.append(evaluation)
        raise AnswerLost("http://127.0.0.1:1", "it is gone")

    questions.note_unanswered("e-1")
    questions.note_unanswered("e-2")
    questions.stop_unanswered(stop)
    assert tried == ["e-1"]


def test_an_answer_that_the_image_does_not_take_is_no_error(questions: Questions) -> None:
    assert questions.answer("e-1", "e-1-1", answer=True) is None
    assert questions.decline("e-1", "e-1-1", "declined") is None


class Person:
    """Is asked, and does not answer."""

    can_ask: Sequence[str] = ("person",)
    continues = False

    def __init__(self) -> None:
        self.asked: list[Asking] = []

    def ask(self, asking: Asking, seconds: float) -> bool:
        """Note what is asked."""
        self.asked.append(asking)
        return False

    def withdraw(self, evaluation: str) -> None:
        """Nothing waits."""


def test_an_evaluation_that_asks_at_the_end_of_the_wait_is_asked_of_the_person(questions: Questions) -> None:
    person, asking = Person(), Asking("e-1", asks=(Question("q-1", "confirmation", "Go on?"),), elapsed=1.0)

    def follow(evaluation: str, seconds: float) -> Outcome:
        return asking

    assert questions.have_answered(asking, person, monotonic(), follow) is asking
    assert person.asked == [asking]
