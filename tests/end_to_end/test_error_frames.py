"""An error shows the variables of the user's own frames, and expressions are evaluated there."""

import re

from end_to_end.answers import failure, found, whole
from programs import Client
from smalltalk_text import class_text, method_text

ID = r"error-\d+"
SUM = "| sum | sum := 3. #( 1 2 ) do: [ :each | sum zork: each ]"
"""The stack has the frames `doesNotUnderstand:`, the block, `do:` and the expression."""


def value_in(client: Client, expression: str, error: object, frame: int) -> str:
    """The print string of an expression's value in a frame of the stack of an error."""
    asked = client.call("evaluate", expression=expression, error_id=found(ID, error), frame=frame)
    return whole(asked).splitlines()[0]


def test_an_error_shows_the_variables_of_the_first_two_frames_of_the_users_own_code(client: Client) -> None:
    lines = failure(client.call("evaluate", expression=SUM)).splitlines()
    assert "Frame 2: self = nil, sum = 3, each = 1" in lines
    assert "Frame 4: self = nil, sum = 3" in lines
    assert not [line for line in lines if line.startswith("Frame 3")]


def test_an_expression_is_evaluated_in_a_frame_with_its_self_and_its_variables(client: Client) -> None:
    error = client.call("evaluate", expression=SUM)
    assert value_in(client, "sum + each", error, 2) == "4"
    assert value_in(client, "self", error, 1) == "3"
    assert value_in(client, "self size", error, 3) == "2"


def test_a_frame_is_inspected_like_any_object(client: Client) -> None:
    error = client.call("evaluate", expression=SUM)
    shown = whole(client.call("inspect_object", error_id=found(ID, error), frame=2))
    assert "    sum: 3 (SmallInteger)" in shown
    assert "    each: 1 (SmallInteger)" in shown
    refused = failure(client.call("inspect_object", frame=2))
    assert refused.startswith("inspect_object needs either object_id or error_id")


def test_a_syntax_error_in_a_frame_is_reported_as_ever(client: Client) -> None:
    error = client.call("evaluate", expression=SUM)
    refused = client.call("evaluate", expression="summ + each", error_id=found(ID, error), frame=2)
    assert failure(refused).startswith("Undeclared variable: summ")
    assert "Similar names: sum" in failure(refused)


def test_each_failing_test_shows_its_variables_and_can_be_looked_into(client: Client) -> None:
    client.call("edit_code", text=class_text("ErrorFramesTest", "TestCase", package="ErrorFrames"))
    source = "testSum\n\n\t| sum |\n\tsum := 3.\n\tself assert: sum equals: 4"
    client.call("edit_code", text=method_text("ErrorFramesTest", source))
    try:
        ran = client.call("run_tests", tests=["ErrorFramesTest"])
        [shown] = re.findall(r"Frame (\d+): self = ErrorFramesTest>>#testSum, sum = 3", whole(ran))
        assert value_in(client, "sum + 1", ran, int(shown)) == "4"
    finally:
        client.call("undo_change", to=0)


def test_what_is_kept_no_longer_is_refused_with_the_reason(client: Client) -> None:
    error = client.call("evaluate", expression=SUM)
    client.call("evaluate", expression="nil", reset_workspace=True)
    refused = client.call("evaluate", expression="sum", error_id=found(ID, error), frame=2)
    assert "is no longer kept: only those of the last 20 errors are" in failure(refused)
