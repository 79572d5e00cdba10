"""A message finds the method that is there now, whatever was found for it before."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from practice_evaluation import Evaluate

MADE = (
    "(Trait << #TPracticeFound package: 'Practice-Lookup') install",
    "(Object << #PracticeFinder traits: { TPracticeFound }; package: 'Practice-Lookup') install",
    "(PracticeFinder << #PracticeLower package: 'Practice-Lookup') install",
    "(Object << #PracticeOther package: 'Practice-Lookup') install",
    "TPracticeFound compile: 'found ^ 1'",
    "PracticeOther compile: 'found ^ 2'",
)
REMOVED = """#(PracticeLower PracticeFinder PracticeOther TPracticeFound) do: [ :each |
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
        "PracticeLower compile: 'found ^ 2'",
        "PracticeFinder compile: 'found ^ 2'",
        "TPracticeFound compile: 'found ^ 2'",
        "(PracticeOther << #PracticeLower package: 'Practice-Lookup') install",
    ],
)
def test_lookup_in_a_subclass_finds_a_change(evaluate: Evaluate, change: str) -> None:
    assert evaluate("PracticeLower new found") == 1
    evaluate(change)
    assert evaluate("PracticeLower new found") == 2


def test_removing_a_method_uncovers_the_inherited_one(evaluate: Evaluate) -> None:
    evaluate("PracticeLower compile: 'found ^ 2'")
    assert evaluate("PracticeLower new found") == 2
    evaluate("PracticeLower removeSelector: #found")
    assert evaluate("PracticeLower new found") == 1


def test_classes_understand_what_class_learns(evaluate: Evaluate) -> None:
    assert evaluate("PracticeLower respondsTo: #practiceLearned") is False
    evaluate("Class compile: 'practiceLearned ^ self name'")
    assert evaluate("PracticeLower practiceLearned") == "PracticeLower"
    evaluate("Class compile: 'practiceLearned ^ 7'")
    assert evaluate("{ PracticeLower practiceLearned. Object practiceLearned }") == [7, 7]
    evaluate("Class removeSelector: #practiceLearned")


def test_a_new_class_is_the_instance_of_its_class(evaluate: Evaluate) -> None:
    assert evaluate("PracticeLower class allInstances = { PracticeLower }") is True
    assert evaluate("TPracticeFound class allInstances = { TPracticeFound }") is True


def test_methods_are_compiled_again_after_a_slot_was_added(evaluate: Evaluate) -> None:
    evaluate("(Object << #PracticeOther slots: { #one }; package: 'Practice-Lookup') install")
    evaluate("PracticeOther compile: 'one ^ one ifNil: [ one := 5 ]'")
    evaluate("(PracticeOther << #PracticeLower package: 'Practice-Lookup') install")
    assert evaluate("PracticeLower new one") == 5
    evaluate("(Object << #PracticeOther slots: { #zero. #one }; package: 'Practice-Lookup') install")
    assert evaluate("PracticeLower new one; instVarNamed: 'one'") == 5


def test_new_initializes_as_soon_as_there_is_something_to_initialize(evaluate: Evaluate) -> None:
    assert evaluate("PracticeLower new class name") == "PracticeLower"
    evaluate("PracticeFinder compile: 'initialize self class note: 7'")
    evaluate(
        "PracticeFinder class compile: 'note: anObject Smalltalk globals at: #PracticeNote put: anObject'"
    )
    assert evaluate("PracticeLower new. Smalltalk globals removeKey: #PracticeNote ifAbsent: [ nil ]") == 7
    evaluate("PracticeFinder removeSelector: #initialize")
    assert evaluate("PracticeLower new. Smalltalk globals removeKey: #PracticeNote ifAbsent: [ nil ]") is None


def test_new_makes_what_basic_new_of_the_class_makes(evaluate: Evaluate) -> None:
    evaluate("PracticeFinder class compile: 'basicNew ^ 5'")
    assert evaluate("PracticeLower new") == 5


def test_an_object_responds_to_what_its_class_says_it_understands(evaluate: Evaluate) -> None:
    assert evaluate("PracticeLower new respondsTo: #zork") is False
    evaluate("PracticeFinder class compile: 'canUnderstand: aSymbol ^ aSymbol == #zork'")
    assert evaluate("{ #zork. #found } collect: [ :each | PracticeLower new respondsTo: each ]") == [
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("receiver", "printed"), [("7", "7"), ("nil", "nil"), ("2.5", "2.5"), ("#( 1 )", "#(1)")]
)
def test_a_method_can_run_with_a_receiver_of_another_class(
    evaluate: Evaluate, receiver: str, printed: str
) -> None:
    evaluate("PracticeOther compile: 'run: x ^ self printString , x'")
    run = f"(PracticeOther >> #run:) valueWithReceiver: {receiver} arguments: #( '!' )"
    assert evaluate(run) == printed + "!"
