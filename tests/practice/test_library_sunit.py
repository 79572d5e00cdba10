"""SUnit of the practice image: what becomes of tests that pass, fail, break, wait too long."""

from __future__ import annotations

import pytest

from practice_evaluation import Evaluate, Printing

SAMPLE = {
    "setUp": "super setUp. events := OrderedCollection with: #setUp",
    "tearDown": "Torn := events. super tearDown",
    "testPasses": "events add: #ran. self assert: 3 + 4 equals: 7",
    "testFails": "self assert: 3 equals: 4",
    "testBreaks": "^ 1 / 0",
    "testSkips": "self skip: 'not here'",
    "testIsExpectedToFail": "<expectedFailure> self fail",
    "testPassesUnexpectedly": "<expectedFailure> self assert: true",
    "testTakesTooLong": "self timeLimit: 50 milliSeconds. [ true ] whileTrue",
}

ASSERTIONS = [
    ("self assert: 3 equals: 4", "Got 3 instead of 4."),
    ("self assert: false", "Assertion failed"),
    ("self assert: false description: 'because'", "because"),
    ("self assert: false description: [ 'be' , 'cause' ]", "because"),
    ("self deny: true", "Denial failed"),
    ("self deny: 3 equals: 3", "Unexpected equality of 3 and 3."),
    ("self assert: 'a' copy identicalTo: 'a' copy", "'a' is not identical to 'a'."),
    ("self assertEmpty: #(1)", "#(1) should have been empty"),
    ("self denyEmpty: #()", "#() should not have been empty"),
    ("self should: [ 3 ] raise: Error", "Assertion failed"),
    ("self shouldnt: [ 1 / 0 ] raise: ZeroDivide", "Assertion failed"),
    ("self assertCollection: #(1 2) includesAll: #(3)", "#(1 2) does not include all in #(3)"),
    ("self fail: 'no way'", "no way"),
    ("self assert: 1.0 closeTo: 1.1", "Got 1.0 instead of 1.1."),
    (
        "self should: [ Error signal: 'abc' ] raise: Error whoseDescriptionIncludes: 'x' description: 'told'",
        "told",
    ),
]

HOLDING = [
    "self assert: true",
    "self assert: [ true ]",
    "self deny: false",
    "self assert: 3 equals: 3",
    "self assert: #a identicalTo: #a",
    "self deny: 'a' copy identicalTo: 'a' copy",
    "self assert: 0.1 + 0.2 closeTo: 0.3",
    "self should: [ 1 / 0 ] raise: ZeroDivide",
    "self should: [ 1 / 0 ] raise: ZeroDivide withExceptionDo: [ :e | self assert: e dividend equals: 1 ]",
    "self shouldnt: [ 3 ] raise: Error",
    "self assertCollection: #(1 2) hasSameElements: #(2 1)",
    "self assertEmpty: #()",
    "self should: [ Error signal: 'abc' ] raise: Error whoseDescriptionIncludes: 'b' description: ''",
    "self should: [ 3 ] notTakeMoreThan: 10 seconds",
]


@pytest.fixture(autouse=True)
def sample(evaluate: Evaluate) -> None:
    evaluate(
        "(TestCase << #PracticeTriedTest slots: { #events }; sharedVariables: { #Torn };"
        " package: 'Practice-Sample') install"
    )
    for selector, body in SAMPLE.items():
        source = f"{selector}\n\t{body}".replace("'", "''")
        evaluate(f"PracticeTriedTest compile: '{source}' classified: 'tests'")
    evaluate("PracticeTriedTest class compile: 'torn ^ Torn' classified: 'accessing'")


def test_a_suite_counts_what_became_of_each_test(printing: Printing) -> None:
    assert printing("PracticeTriedTest suite run") == (
        "6 ran, 1 passed, 1 skipped, 1 expected failure, 1 failure, 2 errors, 1 passed unexpected"
    )


@pytest.mark.parametrize(
    ("selector", "kind"),
    [
        ("testPasses", "passed"),
        ("testIsExpectedToFail", "passed"),
        ("testFails", "failures"),
        ("testPassesUnexpectedly", "failures"),
        ("testBreaks", "errors"),
        ("testTakesTooLong", "errors"),
        ("testSkips", "skipped"),
    ],
)
def test_one_test_ends_among_its_own_kind(printing: Printing, selector: str, kind: str) -> None:
    found = printing(f"(PracticeTriedTest selector: #{selector}) run {kind} asArray collect: #selector")
    assert found == f"#(#{selector})"


def test_set_up_comes_before_and_tear_down_after_each_test(printing: Printing) -> None:
    printing("(PracticeTriedTest selector: #testPasses) run")
    assert printing("PracticeTriedTest torn asArray") == "#(#setUp #ran)"


def test_tear_down_comes_after_a_test_that_breaks(printing: Printing) -> None:
    printing("(PracticeTriedTest selector: #testBreaks) run")
    assert printing("PracticeTriedTest torn asArray") == "#(#setUp)"


def test_a_test_prints_its_class_and_selector(printing: Printing) -> None:
    assert printing("PracticeTriedTest selector: #testPasses") == "PracticeTriedTest>>#testPasses"


def test_an_empty_suite_ran_no_tests(printing: Printing) -> None:
    assert printing("TestSuite new run") == "No tests ran"


def test_the_time_limit_of_a_test_ends_it_with_an_error(printing: Printing) -> None:
    caught = (
        "[ (PracticeTriedTest selector: #testTakesTooLong) runCaseManaged ] on: Error do: [ :e | e class ]"
    )
    assert printing(caught) == "TestTookTooMuchTime"


@pytest.mark.parametrize(("assertion", "text"), ASSERTIONS)
def test_a_failed_assertion_describes_what_it_found(evaluate: Evaluate, assertion: str, text: str) -> None:
    source = assertion.replace("self", "PracticeTriedTest new", 1)
    assert evaluate(f"[ {source}. nil ] on: TestFailure do: [ :failure | failure messageText ]") == text


@pytest.mark.parametrize("assertion", HOLDING)
def test_a_passed_assertion_writes_nothing(evaluate: Evaluate, assertion: str) -> None:
    source = assertion.replace("self", "(PracticeTriedTest selector: #testPasses)")
    assert evaluate(f"[ {source}. #held ] on: TestFailure do: [ :failure | failure messageText ]") == "held"
