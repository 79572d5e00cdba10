"""An evaluation always comes back, and says exactly what happened: through front end and image."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from programs import Client, LiveImage

ENDLESS = [
    "[ true ] whileTrue",
    "[ [ true ] whileTrue ] ensure: [ 3 + 4 ]",
    "Semaphore new wait",
    "[ [ [ true ] whileTrue ] on: Exception do: [ :e | e retry ] ] repeat",
    "[ 3 + 4 ] ensure: [ [ true ] whileTrue ]",
    "| again | again := nil. again := [ :n | again value: n + 1 ]. [ again value: 1 ] repeat",
]


@pytest.fixture
def client(image: LiveImage) -> Iterator[Client]:
    with Client(env=image.env()) as client:
        client.shake_hands()
        yield client


def texts(result: Any) -> list[str]:
    return [content["text"] for content in result["content"]]


def whole(result: Any) -> str:
    return "\n".join(texts(result))


def id_in(result: Any, pattern: str) -> str:
    found = re.search(pattern, whole(result))
    assert found, whole(result)
    return found[0]


@pytest.mark.parametrize("expression", ENDLESS)
def test_what_never_ends_is_ended_and_the_image_stays_usable(client: Client, expression: str) -> None:
    result = client.call("evaluate", expression=expression, timeout_seconds=1)
    assert result["isError"] is True
    assert whole(client.call("evaluate", expression="3 + 4")) == "7"


def test_what_ran_out_of_time_tells_its_stack_and_its_transcript(client: Client) -> None:
    expression = "Transcript show: 'so far'. (Delay forSeconds: 60) wait"
    told = whole(client.call("evaluate", expression=expression, timeout_seconds=0.5))
    assert "0.5 seconds" in told
    assert "Delay>>wait" in told
    assert "UndefinedObject>>DoIt" in told
    assert "so far" in told


def test_other_requests_are_answered_beside_an_endless_loop(image: LiveImage, client: Client) -> None:
    arguments = {"expression": "[ true ] whileTrue", "timeout_seconds": 5}
    params = {"name": "evaluate", "arguments": arguments}
    client.send({"jsonrpc": "2.0", "id": "loop", "method": "tools/call", "params": params})
    assert whole(client.call("evaluate", expression="3 + 4")) == "7"
    assert not client.call("get_status").get("isError")
    assert client.receive()["id"] == "loop"


def test_long_work_goes_on_and_is_followed_by_its_id(client: Client) -> None:
    slow = "(Delay forSeconds: 1) wait. 6 * 7"
    begun = client.call("evaluate", expression=slow, wait_seconds=0)
    assert not begun.get("isError")
    evaluation = id_in(begun, r"e-[0-9a-f]+")
    assert "42" in whole(client.call("get_evaluation", evaluation_id=evaluation, wait_seconds=20))


def test_long_work_is_ended_by_its_id(client: Client) -> None:
    begun = client.call("evaluate", expression="[ true ] whileTrue", wait_seconds=0, timeout_seconds=600)
    evaluation = id_in(begun, r"e-[0-9a-f]+")
    assert not client.call("stop_evaluation", evaluation_id=evaluation).get("isError")
    followed = client.call("get_evaluation", evaluation_id=evaluation, wait_seconds=20)
    assert followed["isError"] is True
    assert "whileTrue" in whole(followed) or "DoIt" in whole(followed) or "stopped" in whole(followed)


def test_a_cancelled_evaluation_ends_in_the_image_and_is_never_answered(client: Client) -> None:
    mark = "Smalltalk globals at: #CancelledBegan put: true. [ true ] whileTrue"
    arguments = {"expression": mark, "timeout_seconds": 600, "wait_seconds": 40}
    params = {"name": "evaluate", "arguments": arguments}
    client.send({"jsonrpc": "2.0", "id": "doomed", "method": "tools/call", "params": params})
    assert eventually(client, "Smalltalk globals includesKey: #CancelledBegan", "true")
    client.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": "doomed"}})
    for _ in range(200):
        if "whileTrue" not in whole(client.call("get_status")):
            return  # client.call checks that each answer is the one it waits for
    pytest.fail("the cancelled evaluation still runs")


def eventually(client: Client, expression: str, wanted: str) -> bool:
    """Whether an expression comes to answer what is wanted, asked a bounded number of times."""
    return any(whole(client.call("evaluate", expression=expression)) == wanted for _ in range(500))


def test_progress_is_told_to_who_gave_a_token(client: Client) -> None:
    arguments = {"expression": "Transcript show: 'half'; cr. (Delay forMilliseconds: 2500) wait. 7"}
    params = {"name": "evaluate", "arguments": arguments, "_meta": {"progressToken": "p"}}
    client.send({"jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": params})
    told = []
    while (message := client.receive()).get("id") != "slow":
        assert message["method"] == "notifications/progress"
        told.append(message["params"])
    assert message["result"]["content"][0]["text"].startswith("7")
    assert told
    assert {one["progressToken"] for one in told} == {"p"}
    assert [one["progress"] for one in told] == sorted(one["progress"] for one in told)
    assert any("half" in one.get("message", "") for one in told)


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
    result = client.call("evaluate", expression=expression)
    assert result["isError"] is True
    assert whole(result).splitlines()[0].startswith(first_line)


def test_a_warning_is_told_beside_the_result(client: Client) -> None:
    result = client.call("evaluate", expression="Warning signal: 'careful'. 7")
    assert not result.get("isError")
    assert texts(result)[0].startswith("7")
    assert "careful" in whole(result)


def test_a_syntax_error_shows_line_column_and_a_caret(client: Client) -> None:
    told = whole(client.call("evaluate", expression="| x |\nx := 3 + .\nx"))
    assert "line 2" in told
    assert "x := 3 + ." in told
    assert "^" in told


def test_an_undeclared_variable_names_near_misses(client: Client) -> None:
    told = whole(client.call("evaluate", expression="OrderedColection new"))
    assert "OrderedColection" in told
    assert "OrderedCollection" in told.replace("OrderedColection", "")


def test_a_question_to_the_user_is_reported_with_its_text(client: Client) -> None:
    result = client.call("evaluate", expression="UIManager default confirm: 'Really?'")
    assert result["isError"] is True
    assert "Really?" in whole(result)


def test_transcript_output_is_a_block_of_its_own(client: Client) -> None:
    result = client.call("evaluate", expression="Transcript show: 'hello'; cr. 7")
    value, transcript = texts(result)
    assert value.startswith("7")
    assert "hello" in transcript


def test_a_long_result_is_cut_in_words_and_the_rest_can_be_read(client: Client) -> None:
    result = client.call("evaluate", expression="String new: 30000 withAll: $a", max_characters=1000)
    assert len(whole(result)) < 2000
    assert "30002" in whole(result) or "30,002" in whole(result)
    evaluation = id_in(result, r"e-[0-9a-f]+")
    rest = client.call("get_evaluation", evaluation_id=evaluation, offset=29000, max_characters=5000)
    assert "aaaa" in whole(rest)


def test_variables_live_on_in_their_workspace(client: Client) -> None:
    client.call("evaluate", expression="x := 3", workspace="one")
    assert texts(client.call("evaluate", expression="x + 1", workspace="one"))[0] == "4"
    assert client.call("evaluate", expression="x + 1", workspace="two")["isError"] is True
    client.call("reset_workspace", workspace="one")
    assert client.call("evaluate", expression="x + 1", workspace="one")["isError"] is True


def test_a_result_that_is_no_literal_can_be_inspected_and_be_self(client: Client) -> None:
    result = client.call("evaluate", expression="OrderedCollection with: 3 with: 'four'")
    object_id = id_in(result, r"o-\d+")
    inspected = whole(client.call("inspect_object", object_id=object_id))
    assert "OrderedCollection" in inspected
    assert "'four'" in inspected
    assert texts(client.call("evaluate", expression="self size", receiver=object_id))[0] == "2"


def test_a_print_string_that_fails_is_survived(client: Client) -> None:
    client.call("evaluate", expression="(Object << #E2EPrintsBadly package: 'E2E') install")
    compile_it = (
        "(Smalltalk globals at: #E2EPrintsBadly) compile: 'printOn: aStream 1/0' classified: 'printing'. 7"
    )
    assert texts(client.call("evaluate", expression=compile_it))[0] == "7"
    told = whole(client.call("evaluate", expression="(Smalltalk globals at: #E2EPrintsBadly) new"))
    client.call("evaluate", expression="(Smalltalk globals at: #E2EPrintsBadly) removeFromSystem")
    assert "E2EPrintsBadly" in told
    assert "ZeroDivide" in told


def test_two_hundred_calls_in_flight_with_an_endless_loop_among_them(client: Client) -> None:
    for n in range(200):
        expression = "[ true ] whileTrue" if n == 100 else str(n)
        arguments = {"expression": expression, "timeout_seconds": 3}
        params = {"name": "evaluate", "arguments": arguments}
        client.send({"jsonrpc": "2.0", "id": n, "method": "tools/call", "params": params})
    answers = {message["id"]: message["result"] for message in (client.receive() for _ in range(200))}
    assert answers.pop(100)["isError"] is True
    assert {n: texts(result)[0] for n, result in answers.items()} == {n: str(n) for n in answers}
