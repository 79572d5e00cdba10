"""A message finds the method that is there now, whatever was found for it before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from standin_evaluation import Evaluate

MADE = (
    "(Trait << #TStandInFound package: 'StandIn-Lookup') install",
    "(Object << #StandInFinder traits: { TStandInFound }; package: 'StandIn-Lookup') install",
    "(StandInFinder << #StandInLower package: 'StandIn-Lookup') install",
    "(Object << #StandInOther package: 'StandIn-Lookup') install",
    "TStandInFound compile: 'found ^ 1'",
    "StandInOther compile: 'found ^ 2'",
)
REMOVED = """#(StandInLower StandInFinder StandInOther TStandInFound) do: [ :each |
    (Smalltalk at: each) removeFromSystem ]"""


@pytest.fixture(autouse=True)
def made(evaluate: Evaluate) -> Iterator[None]:
    for source in MADE:
        evaluate(source)
    yield
    evaluate(REMOVED)


@pytest.mark.parametrize(
    "change",
    [
        "StandInLower compile: 'found ^ 2'",
        "StandInFinder compile: 'found ^ 2'",
        "TStandInFound compile: 'found ^ 2'",
        "(StandInOther << #StandInLower package: 'StandIn-Lookup') install",
    ],
)
def test_what_changed_is_found_from_below(evaluate: Evaluate, change: str) -> None:
    assert evaluate("StandInLower new found") == 1
    evaluate(change)
    assert evaluate("StandInLower new found") == 2


def test_a_method_that_went_uncovers_the_one_above(evaluate: Evaluate) -> None:
    evaluate("StandInLower compile: 'found ^ 2'")
    assert evaluate("StandInLower new found") == 2
    evaluate("StandInLower removeSelector: #found")
    assert evaluate("StandInLower new found") == 1


def test_classes_understand_what_class_learns(evaluate: Evaluate) -> None:
    assert evaluate("StandInLower respondsTo: #standInLearned") is False
    evaluate("Class compile: 'standInLearned ^ self name'")
    assert evaluate("StandInLower standInLearned") == "StandInLower"
    evaluate("Class compile: 'standInLearned ^ 7'")
    assert evaluate("{ StandInLower standInLearned. Object standInLearned }") == [7, 7]
    evaluate("Class removeSelector: #standInLearned")


def test_a_new_class_is_the_instance_of_its_class(evaluate: Evaluate) -> None:
    assert evaluate("StandInLower class allInstances = { StandInLower }") is True
    assert evaluate("TStandInFound class allInstances = { TStandInFound }") is True


def test_methods_are_compiled_anew_where_a_slot_has_come(evaluate: Evaluate) -> None:
    evaluate("(Object << #StandInOther slots: { #one }; package: 'StandIn-Lookup') install")
    evaluate("StandInOther compile: 'one ^ one ifNil: [ one := 5 ]'")
    evaluate("(StandInOther << #StandInLower package: 'StandIn-Lookup') install")
    assert evaluate("StandInLower new one") == 5
    evaluate("(Object << #StandInOther slots: { #zero. #one }; package: 'StandIn-Lookup') install")
    assert evaluate("StandInLower new one; instVarNamed: 'one'") == 5
