"""A failing test is stopped, looked at, fixed where it stands, and goes on until it is green."""

import re

import pytest

from scenarios.test_working_day import Model, model
from smalltalk_text import class_text, code, method_text

__all__ = ["model"]

BILL = [
    "initialize\n\n\tsuper initialize.\n\tprices := Dictionary new.\n\tprices at: #lion put: 10",
    "total\n\n\t^ self sumOf: #(lion snake)",
    "sumOf: names\n\n\t^ names inject: 0 into: [ :sum :each | sum + (self priceOf: each) ]",
    "priceOf: aName\n\n\t| price |\n\tprice := self lookUp: aName.\n\t^ price * 2",
    "lookUp: aName\n\n\t^ prices at: aName",
]
FIXED = "lookUp: aName\n\n\t^ prices at: aName ifAbsent: [ 3 ]"
TEST = "testTotal\n\n\tself assert: ZooBill new total equals: 26"


def frame_of(method: str, said: str) -> int:
    """The number of the frame that runs a method."""
    found = re.search(rf"^ +(\d+) {re.escape(method)}", said, re.M)
    assert found, said
    return int(found[1])


def evaluation_in(said: str) -> str:
    """The id that a paused evaluation is named by."""
    found = re.search(r"evaluation_id: ([\w-]+)", said)
    assert found, said
    return found[1]


@pytest.fixture
def mark(model: Model) -> int:
    """The last change before the mistake is fixed, in a class whose test fails because of it."""
    model("edit_code", text=class_text("ZooBill", package="Zoo", slots=["prices"]))
    model("edit_code", text=code(*(method_text("ZooBill", each) for each in BILL)))
    model("edit_code", text=class_text("ZooBillTest", "TestCase", package="Zoo-Tests"))
    model("edit_code", text=method_text("ZooBillTest", TEST))
    return model.last_change()


def test_a_failing_test_is_fixed_where_it_stands(model: Model, mark: int) -> None:
    paused = model("run_tests", tests=["ZooBillTest"], on_error="pause")
    assert "Paused: KeyNotFound: " in paused
    assert "Test: ZooBillTest>>testTotal, after 0 of 1 tests" in paused
    assert "aName = #snake" in paused  # the temporaries, without being asked for
    evaluation_id = evaluation_in(paused)
    wrong, caller = frame_of("ZooBill>>lookUp:", paused), frame_of("ZooBill>>priceOf:", paused)

    frame = model("debug_show", evaluation_id=evaluation_id, frame=caller)
    assert "-> \tprice := self lookUp: aName." in frame
    assert "prices: a Dictionary(#lion->10 )" in frame
    assert model("evaluate", expression="prices keys", error_id=evaluation_id, frame=caller).startswith(
        "#(#lion)"
    )

    compiled = model("edit_code", text=method_text("ZooBill", FIXED))
    assert f"Frame {wrong} of the paused evaluation {evaluation_id} still runs the old method" in compiled
    restarted = model("debug_step", evaluation_id=evaluation_id, action="restart", frame=wrong)
    assert "1 ZooBill>>lookUp: -- ^ prices at: aName ifAbsent: [ 3 ]" in restarted
    assert "1 passed" in model("debug_step", evaluation_id=evaluation_id, action="proceed")

    assert model("list_changes").count(f"    {mark + 1}: changedMethod ZooBill>>lookUp:") == 1
    assert model.last_change() == mark + 1
    model("undo_change", to=mark)
    assert "^ prices at: aName\n" in model("read_code", items=["ZooBill>>lookUp:"]) + "\n"


def test_a_failed_assertion_is_stepped_over_and_the_test_goes_on(model: Model) -> None:
    model("edit_code", text=class_text("ZooSumTest", "TestCase", package="Zoo-Tests"))
    source = "testSum\n\n\t| sum |\n\tsum := 1.\n\tself assert: sum equals: 2.\n\tsum := 3.\n\t^ sum"
    model("edit_code", text=method_text("ZooSumTest", source))
    paused = model("run_tests", tests=["ZooSumTest>>testSum"], on_error="pause")
    assert "Paused: TestFailure: Got 1 instead of 2." in paused
    evaluation_id = evaluation_in(paused)
    stepped = model("debug_step", evaluation_id=evaluation_id, action="over")
    assert "Paused after a step." in stepped
    assert "1 ZooSumTest>>testSum -- ^ sum" in stepped
    assert "sum = 3" in stepped
    assert "1 passed" in model("debug_step", evaluation_id=evaluation_id, action="proceed")


def test_the_other_tests_run_when_a_paused_one_was_left(model: Model) -> None:
    model("edit_code", text=class_text("ZooSumTest", "TestCase", package="Zoo-Tests"))
    model(
        "edit_code",
        text=code(
            method_text("ZooSumTest", "testA\n\n\tself error: 'no'"),
            method_text("ZooSumTest", "testB\n\n\tself assert: true"),
        ),
    )
    paused = model("run_tests", tests=["ZooSumTest"], on_error="pause")
    evaluation_id = evaluation_in(paused)
    stepped = model("debug_step", evaluation_id=evaluation_id, action="return", frame=1, value="nil")
    assert "Paused after a step." in stepped
    assert "2 passed" in model("debug_step", evaluation_id=evaluation_id, action="proceed")


def test_a_test_is_written_of_an_error(model: Model, mark: int) -> None:
    failed = model.failing("evaluate", expression="ZooBill new priceOf: #snake")
    found = re.search(r"error_id: ([\w-]+)", failed)
    assert found, failed
    drafted = model("inspect_object", error_id=found[1], as_test=True)
    assert "receiver lookUp: #snake" in drafted
    assert "Missing, so fill in: receiver." in drafted
    text = drafted.partition("\n\nMissing")[0].replace("receiver := nil", "receiver := ZooBill new")
    made = model("edit_code", text=text, tests=["ZooBillTest>>testLookUp"])
    assert "error: ZooBillTest>>testLookUp" in made
    assert "KeyNotFound" in made
