"""Announcements of the practice image: who hears what, and until when."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from practice_evaluation import Evaluate, Printing

ImageUpdate: TypeAlias = Callable[[str], str]

HEARD = "heard := OrderedCollection new. announcer := Announcer new."


@pytest.fixture(autouse=True)
def announcements(evaluate: Evaluate) -> None:
    evaluate("(Announcement << #PracticeThunder package: 'Practice-Sample') install")
    evaluate("(PracticeThunder << #PracticeLoudThunder package: 'Practice-Sample') install")


@pytest.fixture
def heard(printing: Printing) -> ImageUpdate:
    """What was heard, as an array of class names, after some statements."""

    def run(statements: str) -> str:
        return printing(f"| heard announcer | {HEARD} {statements}. heard asArray")

    return run


def test_a_subscriber_gets_announcements_of_the_class_and_its_subclasses(heard: ImageUpdate) -> None:
    assert (
        heard(
            "announcer when: PracticeThunder do: [ :a | heard add: a class name ] for: heard."
            "announcer announce: PracticeThunder. announcer announce: PracticeLoudThunder new"
        )
        == "#(#PracticeThunder #PracticeLoudThunder)"
    )


def test_a_subscriber_does_not_hear_of_other_classes(heard: ImageUpdate) -> None:
    assert (
        heard(
            "announcer when: PracticeLoudThunder do: [ :a | heard add: a class name ] for: heard."
            "announcer announce: PracticeThunder"
        )
        == "#()"
    )


def test_a_block_may_do_without_the_announcement(heard: ImageUpdate) -> None:
    assert (
        heard(
            "announcer when: PracticeThunder do: [ heard add: 1 ] for: heard."
            "announcer announce: PracticeThunder"
        )
        == "#(1)"
    )


def test_a_message_is_sent_to_who_asked_for_it(heard: ImageUpdate) -> None:
    assert (
        heard(
            "announcer when: PracticeThunder send: #removeAll to: heard. heard add: 1."
            "announcer announce: PracticeThunder"
        )
        == "#()"
    )


def test_an_unsubscribed_object_gets_no_announcements(heard: ImageUpdate) -> None:
    assert (
        heard(
            "announcer when: PracticeThunder do: [ heard add: 1 ] for: heard. announcer unsubscribe: heard."
            "announcer announce: PracticeThunder"
        )
        == "#()"
    )


def test_several_classes_are_asked_for_at_once(heard: ImageUpdate) -> None:
    assert (
        heard(
            "announcer when: PracticeLoudThunder , TestAnnouncement"
            "    do: [ :a | heard add: a class name ] for: heard."
            "announcer announce: TestAnnouncement; announce: PracticeLoudThunder; announce: PracticeThunder"
        )
        == "#(#TestAnnouncement #PracticeLoudThunder)"
    )


def test_nothing_is_delivered_while_all_is_suspended(heard: ImageUpdate) -> None:
    assert (
        heard(
            "announcer when: PracticeThunder do: [ heard add: 1 ] for: heard."
            "announcer suspendAllWhile: [ announcer announce: PracticeThunder ]."
            "announcer announce: PracticeThunder"
        )
        == "#(1)"
    )


def test_the_announcement_is_answered_to_who_announced_it(printing: Printing) -> None:
    assert printing("(Announcer new announce: PracticeThunder) class") == "PracticeThunder"
