"""Announcements of the practice image: who hears what, and until when."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import pytest

from standin_evaluation import Evaluate, Printing

Heard: TypeAlias = Callable[[str], str]

HEARD = "heard := OrderedCollection new. announcer := Announcer new."


@pytest.fixture(autouse=True)
def announcements(evaluate: Evaluate) -> None:
    evaluate("(Announcement << #StandInThunder package: 'StandIn-Sample') install")
    evaluate("(StandInThunder << #StandInLoudThunder package: 'StandIn-Sample') install")


@pytest.fixture
def heard(printing: Printing) -> Heard:
    """What was heard, as an array of class names, after some statements."""

    def run(statements: str) -> str:
        return printing(f"| heard announcer | {HEARD} {statements}. heard asArray")

    return run


def test_a_subscriber_hears_of_the_class_and_of_those_below_it(heard: Heard) -> None:
    assert (
        heard(
            "announcer when: StandInThunder do: [ :a | heard add: a class name ] for: heard."
            "announcer announce: StandInThunder. announcer announce: StandInLoudThunder new"
        )
        == "#(#StandInThunder #StandInLoudThunder)"
    )


def test_a_subscriber_does_not_hear_of_other_classes(heard: Heard) -> None:
    assert (
        heard(
            "announcer when: StandInLoudThunder do: [ :a | heard add: a class name ] for: heard."
            "announcer announce: StandInThunder"
        )
        == "#()"
    )


def test_a_block_may_do_without_the_announcement(heard: Heard) -> None:
    assert (
        heard(
            "announcer when: StandInThunder do: [ heard add: 1 ] for: heard."
            "announcer announce: StandInThunder"
        )
        == "#(1)"
    )


def test_a_message_is_sent_to_who_asked_for_it(heard: Heard) -> None:
    assert (
        heard(
            "announcer when: StandInThunder send: #removeAll to: heard. heard add: 1."
            "announcer announce: StandInThunder"
        )
        == "#()"
    )


def test_who_unsubscribes_hears_no_more(heard: Heard) -> None:
    assert (
        heard(
            "announcer when: StandInThunder do: [ heard add: 1 ] for: heard. announcer unsubscribe: heard."
            "announcer announce: StandInThunder"
        )
        == "#()"
    )


def test_several_classes_are_asked_for_at_once(heard: Heard) -> None:
    assert (
        heard(
            "announcer when: StandInLoudThunder , TestAnnouncement"
            "    do: [ :a | heard add: a class name ] for: heard."
            "announcer announce: TestAnnouncement; announce: StandInLoudThunder; announce: StandInThunder"
        )
        == "#(#TestAnnouncement #StandInLoudThunder)"
    )


def test_nothing_is_delivered_while_all_is_suspended(heard: Heard) -> None:
    assert (
        heard(
            "announcer when: StandInThunder do: [ heard add: 1 ] for: heard."
            "announcer suspendAllWhile: [ announcer announce: StandInThunder ]."
            "announcer announce: StandInThunder"
        )
        == "#(1)"
    )


def test_the_announcement_is_answered_to_who_announced_it(printing: Printing) -> None:
    assert printing("(Announcer new announce: StandInThunder) class") == "StandInThunder"
