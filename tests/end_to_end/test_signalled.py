"""What evaluated code signals is told, its cause first; what the code handles itself is left to it."""

import re

import pytest

from end_to_end.answers import failure, running, texts, value, whole
from programs import Client


@pytest.mark.parametrize(
    ("expression", "first_line"),
    [
        ("1/0", "ZeroDivide"),
        ("nil foo", "MessageNotUnderstood: "),
        ("self error: 'mine'", "Error: mine"),
        ("Set new anyOne", "CollectionIsEmpty"),
        ("Dictionary new at: #absent", "KeyNotFound"),
        ("self halt", "Halt"),
    ],
)
def test_the_first_line_names_the_cause(client: Client, expression: str, first_line: str) -> None:
    told = failure(client.call("evaluate", expression=expression))
    assert told.splitlines()[0].startswith(first_line)


def test_an_error_carries_class_text_and_frames(client: Client) -> None:
    told = failure(client.call("evaluate", expression="OrderedCollection new removeFirst")).splitlines()
    assert told[0].startswith("CollectionIsEmpty: ")
    stack = [line for line in told[told.index("Stack:") + 1 :] if line.startswith("    ")]
    assert stack[0].startswith("    1 OrderedCollection(Collection)>>errorEmptyCollection")
    assert any(re.match(r"    \d OrderedCollection>>removeFirst", line) for line in stack)
    assert stack[-1].startswith(f"    {len(stack)} UndefinedObject>>DoIt")


def test_frames_show_the_line_of_source_that_they_are_at(client: Client) -> None:
    told = failure(client.call("evaluate", expression="| x |\nx := 3.\n#(1) do: [ :each |\n    x / 0 ]"))
    assert "    2 [ ] in UndefinedObject>>DoIt -- x / 0 ]\n" in told
    assert "    4 UndefinedObject>>DoIt -- #(1) do: [ :each |" in told


def test_a_message_that_is_not_understood_is_the_selector(client: Client) -> None:
    cause, *others = failure(client.call("evaluate", expression="nil foo")).splitlines()
    assert "foo" in cause
    assert not [line for line in others if line.startswith(("Receiver", "Selector"))]


def test_a_large_receiver_is_cut(client: Client) -> None:
    told = failure(client.call("evaluate", expression="(String new: 50000 withAll: $a) foo"))
    [receiver] = [line for line in told.splitlines() if line.startswith("Receiver: 'aaaa")]
    assert len(receiver) < 2000


def test_a_halt_is_reported_with_its_stack_and_opens_no_debugger(client: Client) -> None:
    told = failure(client.call("evaluate", expression="self halt. 7"))
    assert told.startswith("Halt\n")
    assert "no debugger was opened" in told
    assert "Stack:\n    1 UndefinedObject(Object)>>halt" in told
    assert running(client) == "none"


@pytest.mark.parametrize(
    ("expression", "words"),
    [
        ("Warning signal: 'careful'. 7", "Warning: careful"),
        ("self deprecated: 'Use another.'. 7", "Use another."),
        ("UIManager default inform: 'all is well'. 7", "all is well"),
    ],
)
def test_warnings_deprecations_and_messages_to_the_user_are_listed_with_the_result(
    client: Client, expression: str, words: str
) -> None:
    result = client.call("evaluate", expression=expression)
    assert not result.get("isError")
    value, _, warnings = whole(result).partition("\n\nWarnings:\n")
    assert value == "7"
    assert words in warnings


@pytest.mark.parametrize(
    ("source", "place", "shown"),
    [
        ("| x |\nx := 3 + .\nx", "line 2", "    x := 3 + .\n             ^"),
        ("3 + 4)", "line 1, column 6", "    3 + 4)\n         ^"),
    ],
)
def test_a_syntax_error_shows_line_column_the_line_and_a_caret(
    client: Client, source: str, place: str, shown: str
) -> None:
    told = failure(client.call("evaluate", expression=source))
    assert told.startswith("Syntax error: ")
    assert place in told.splitlines()[0]
    assert shown in told
    assert "Nothing ran." in told


def test_an_undeclared_variable_names_near_misses(client: Client) -> None:
    told = failure(client.call("evaluate", expression="OrderedColection new")).splitlines()
    assert told[0] == "Undeclared variable: OrderedColection (line 1, column 1)"
    [near] = [line for line in told if line.startswith("Similar names: ")]
    assert "OrderedCollection" in near


@pytest.mark.parametrize(
    "expression",
    [
        "UIManager default confirm: 'Really so?'",
        "UIManager default request: 'Really so?'",
        "UIManager default chooseFrom: #(a b) title: 'Really so?'",
    ],
)
def test_a_question_to_the_user_is_reported_with_its_text(client: Client, expression: str) -> None:
    told = failure(client.call("evaluate", expression=expression))
    assert "Really so?" in told.splitlines()[0]
    assert "asked the user a question" in told


@pytest.mark.parametrize(
    "expression",
    [
        "[ 1/0 ] on: ZeroDivide do: [ :error | error return: 7 ]",
        "[ (Warning signal: 'more') + 3 ] on: Warning do: [ :warning | warning resume: 4 ]",
        "[ self halt ] on: Halt do: [ :halt | 7 ]",
        "[ self error: 'mine' ] on: Exception do: [ :any | any retryUsing: [ 7 ] ]",
        "[ UIManager default confirm: 'So?' ] on: ProvideAnswerNotification do: [ :asked | asked return: 7 ]",
    ],
)
def test_exceptions_that_the_code_handles_are_not_reported(client: Client, expression: str) -> None:
    result = client.call("evaluate", expression=expression)
    assert texts(result) == ["7"]


def test_an_error_in_a_forked_process_is_reported_and_the_image_lives(client: Client) -> None:
    result = client.call("evaluate", expression="[ 1/0 ] fork. (Delay forMilliseconds: 20) wait. 7")
    assert whole(result) == "7\n\nWarnings:\nA forked process ended with ZeroDivide"
    assert value(client, "3 + 4") == "7"
