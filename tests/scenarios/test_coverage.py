"""What tests reach, in a live image."""

from collections.abc import Iterator

import pytest

from programs import Client
from scenarios.playing import mark
from scenarios.test_pharo_refactorings import answer
from smalltalk_text import class_text, code, method_text

GATE = ["open\n\n\tisOpen := true", "close\n\n\tisOpen := false"]
SWING = "swing\n\n\tisOpen == true\n\t\tifTrue: [ self close ]\n\t\tifFalse: [ self open ]"
TEST = "testSwing\n\n\tself deny: PmcMadeGate new swing isNil"
SOURCE = "PmcMadeGate >> #swing"
COLLECT = """| collector result |
collector := CoverageCollector new.
collector methods: PmcMadeGate methods.
result := collector runOn: [ PmcMadeGateTest suite run ].
{ result methods size. result nodes size. collector nodes size }"""


@pytest.fixture
def made(client: Client) -> Iterator[Client]:
    """A package of one class, and a test that reaches a part of it."""
    before = mark(client)
    answer(
        client,
        "edit_code",
        text=code(
            class_text("PmcMadeGate", package="PmcMade", slots=["isOpen"]),
            *(method_text("PmcMadeGate", each) for each in [*GATE, SWING]),
        ),
    )
    answer(
        client,
        "edit_code",
        text=code(
            class_text("PmcMadeGateTest", "TestCase", package="PmcMade-Tests"),
            *(method_text("PmcMadeGateTest", each) for each in [TEST]),
        ),
    )
    yield client
    answer(client, "undo_change", to=before)


def test_what_tests_did_not_reach_is_named(made: Client) -> None:
    shown = answer(made, "run_tests", tests=["PmcMadeGateTest"], coverage=["PmcMade"])
    assert shown.splitlines() == [
        "1 test: 1 passed.",
        "",
        "Coverage of PmcMade: 2 of 3 methods (66 %), 1 of 2 blocks (50 %).",
        "Not reached:",
        "    PmcMadeGate, 2 of 3 methods: close",
        "        in part: swing",
        "            line 4: ifTrue: [ self close ]",
    ]


def test_nothing_of_it_stays_and_nothing_is_recorded(made: Client) -> None:
    before = answer(made, "list_changes", limit=1)
    held = answer(made, "evaluate", expression=f"pmcMadeMethod := {SOURCE}. {SOURCE} == pmcMadeMethod")
    assert held == "true"
    answer(made, "run_tests", tests=["PmcMadeGateTest"], coverage=["PmcMade"])
    assert answer(made, "evaluate", expression=f"{SOURCE} == pmcMadeMethod") == "true"
    assert answer(made, "list_changes", limit=1) == before


def test_nothing_of_it_stays_after_a_stop(made: Client) -> None:
    answer(made, "evaluate", expression=f"pmcMadeMethod := {SOURCE}")
    answer(
        made,
        "edit_code",
        text=method_text("PmcMadeGateTest", "testForEver\n\n\t[ PmcMadeGate new swing ] repeat"),
    )
    shown = answer(
        made,
        "run_tests",
        tests=["PmcMadeGateTest"],
        coverage=["PmcMade"],
        timeout_seconds=1,
        test_timeout_seconds=60,
    )
    assert "testForEver was the last test that ran" in shown
    assert "Coverage of PmcMade: " in shown
    assert answer(made, "evaluate", expression=f"{SOURCE} == pmcMadeMethod") == "true"


def test_a_test_that_changes_a_method_keeps_its_change(made: Client) -> None:
    changing = (
        "testChanges\n\n\tPmcMadeGate compile: 'close ^ 3'.\n\tself assert: PmcMadeGate new close equals: 3"
    )
    answer(made, "edit_code", text=method_text("PmcMadeGateTest", changing))
    answer(made, "run_tests", tests=["PmcMadeGateTest>>testChanges"], coverage=["PmcMade"])
    assert answer(made, "evaluate", expression="PmcMadeGate new close") == "3"


@pytest.mark.parametrize(
    ("package", "why"),
    [
        ("Kernel", "The methods of Kernel can neither be measured nor changed"),
        ("PharoMcp-Core", "The methods of PharoMcp-Core can neither"),
        ("PmcMadeUp", "There is no package named PmcMadeUp"),
    ],
)
def test_packages_that_cannot_be_measured_are_refused(made: Client, package: str, why: str) -> None:
    refused = made.call("run_tests", tests=["PmcMadeGateTest"], coverage=[package])
    assert refused["isError"]
    assert why in refused["content"][0]["text"]


def test_a_coverage_collector_of_the_image_finds_the_same(made: Client) -> None:
    if answer(made, "evaluate", expression="Smalltalk globals includesKey: #CoverageCollector") != "true":
        pytest.skip("this image has no CoverageCollector")
    collected = answer(made, "evaluate", expression=COLLECT)
    assert collected == "#(2 3 5)"  # methods; bodies and blocks, of how many


def test_the_tests_that_a_change_affects_run_with_it(made: Client) -> None:
    swung = answer(made, "edit_code", text=method_text("PmcMadeGate", SWING + "."), tests=["affected"])
    assert "Tests that reach 1 method: 1 by " in swung
    answer(made, "run_tests", tests=["PmcMadeGateTest"], coverage=["PmcMade"])
    swung = answer(made, "edit_code", text=method_text("PmcMadeGate", SWING), tests=["affected"])
    assert "Tests that reach 1 method: 1 by coverage." in swung


def test_mutants_that_no_test_notices_are_listed_and_nothing_of_them_stays(made: Client) -> None:
    before = answer(made, "list_changes", limit=1)
    answer(made, "evaluate", expression=f"pmcMadeMethod := {SOURCE}")
    shown = answer(made, "run_tests", tests=["PmcMadeGateTest"], mutate=["PmcMadeGate"])
    assert "Noticed by the tests: 0 of " in shown
    assert "Reached by no test, so not tried: PmcMadeGate>>close" in shown
    assert "    PmcMadeGate>>swing, line 3 (1 test)" in shown
    assert answer(made, "evaluate", expression=f"{SOURCE} == pmcMadeMethod") == "true"
    assert answer(made, "list_changes", limit=1) == before


def test_a_test_that_a_change_makes_slower_fails(made: Client) -> None:
    slow = SWING.replace("isOpen ==", "(Delay forMilliseconds: 300) wait.\n\tisOpen ==")
    answer(made, "edit_code", text=method_text("PmcMadeGate", slow))
    number = mark(made)
    shown = answer(made, "run_tests", against=number)
    assert "Tests that reach 1 method: 1 by " in shown
    assert "failure: PmcMadeGateTest>>testSwing" in shown
    assert f"    It takes more than 1.5 times as long as before change {number}." in shown
    assert "1 test; more than 1.5 times as long: 1." in shown
    answer(made, "undo_change", change=number)
    assert answer(made, "run_tests", tests=["PmcMadeGateTest"]) == "1 test: 1 passed."
