"""What evaluated code asks the user goes to the person at the client, and the answer back into the code."""

from collections.abc import Iterator
from typing import Any

import pytest

from asked import DECLINED, MODERN, AskedClient, accepted
from end_to_end.answers import eventually, failure, found, running, value, whole
from programs import Client, LiveImage
from scenarios.playing import mark

CONFIRM = "UIManager default confirm: 'Go on?'"
ASKS_WITHIN = 2
"""Seconds; what is asked after the call has ended is asked as soon as somebody follows the evaluation."""


@pytest.fixture
def client(image: LiveImage) -> Iterator[AskedClient]:
    """A legacy client that can be asked."""
    with AskedClient(env=image.env()) as client:
        client.shake_hands()
        yield client
        client.close_input()  # ends what still asks; a client that is killed leaves it to its time limit
        client.wait()


def id_in(result: Any) -> str:
    return found(r"(?<=evaluation_id: )[\w-]+", result)


@pytest.mark.parametrize(
    ("expression", "answer", "result"),
    [
        (CONFIRM, True, "true"),
        (CONFIRM, False, "false"),
        ("UIManager default request: 'Go on?'", "to bed", "'to bed'"),
        ("UIManager default request: 'Go on?' initialAnswer: 'so'", "so", "'so'"),
        ("UIManager default chooseFrom: #(red blue) title: 'Go on?'", "blue", "2"),
        ("UIManager default chooseFrom: #(red blue) values: #($r $b) title: 'Go on?'", "blue", "$b"),
        ("UIManager default confirm: 'Go on?' trueChoice: 'On' falseChoice: 'Off'", "Off", "false"),
        ("ProvideAnswerNotification signal: 'Go on?'", "on", "'on'"),
    ],
)
@pytest.mark.parametrize("revision", ["2025-06-18", "2025-11-25"])
def test_each_kind_of_question_gets_its_answer(
    client: AskedClient, expression: str, answer: object, result: str, revision: str
) -> None:
    client.shake_hands(revision)
    client.answers = {"Go on?": accepted(answer)}
    assert value(client, expression) == result
    assert client.asked == ["Go on?"]


def test_a_default_is_suggested(client: AskedClient) -> None:
    client.begin(50, "evaluate", expression="UIManager default request: 'Name?' initialAnswer: 'Ada'")
    asked = client.wait_to_be_asked()
    assert asked["params"]["requestedSchema"]["properties"]["answer"]["default"] == "Ada"
    client.respond(asked["id"], accepted("Grace"))
    assert "'Grace'" in whole(client.receive()["result"])


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (DECLINED, "the person declined"),
        ({"action": "cancel"}, "the person closed it"),
        (accepted("perhaps"), "the client could not ask it"),
        ({}, "the client could not ask it"),
    ],
)
def test_without_an_answer_the_code_ends_with_the_question(
    client: AskedClient, result: dict[str, Any], reason: str
) -> None:
    client.answers = {"Go on?": result}
    told = failure(client.call("evaluate", expression=CONFIRM))
    assert "Go on?" in told.splitlines()[0]
    assert reason in told
    assert running(client) == "none"


def test_a_client_that_cannot_ask_gets_the_question(image: LiveImage) -> None:
    with Client(env=image.env()) as client:
        client.shake_hands()
        told = failure(client.call("evaluate", expression=CONFIRM))
    assert "asked the user a question" in told
    assert client.told == []


def test_a_client_of_an_older_revision_is_not_asked(client: AskedClient) -> None:
    client.shake_hands("2025-03-26")
    assert "asked the user a question" in failure(client.call("evaluate", expression=CONFIRM))
    assert client.asked == []


def test_a_password_is_not_asked(client: AskedClient) -> None:
    told = failure(client.call("evaluate", expression="UIManager default requestPassword: 'Secret?'"))
    assert "no password is asked through a client" in told
    assert client.asked == []


def test_the_time_limit_rests_while_the_person_thinks(client: AskedClient) -> None:
    client.begin(60, "evaluate", expression=CONFIRM, timeout_seconds=2)
    asked = client.wait_to_be_asked()
    value(client, "(Delay forMilliseconds: 2500) wait")
    client.respond(asked["id"], accepted(answer=True))
    assert "true" in whole(client.receive()["result"])


def test_two_evaluations_ask_at_the_same_time(client: AskedClient) -> None:
    for number in (1, 2):
        client.begin(70 + number, "evaluate", expression=f"UIManager default request: 'Name {number}?'")
    asked = [client.wait_to_be_asked() for _ in range(2)]
    for each in asked:
        client.respond(each["id"], accepted(f"to {each['params']['message']}"))
    answers = {message["id"]: whole(message["result"]) for message in (client.receive(), client.receive())}
    assert "to Name 1?" in answers[71]
    assert "to Name 2?" in answers[72]


def test_forked_processes_ask_at_the_same_time(client: AskedClient) -> None:
    client.answers = {"1": accepted("one"), "2": accepted("two")}
    expression = """| answers done | answers := Array new: 2. done := Semaphore new.
        1 to: 2 do: [ :each |
            [ answers at: each put: (UIManager default request: each printString). done signal ] fork ].
        done wait; wait. answers"""
    assert value(client, expression) == "#('one' 'two')"


def test_who_does_not_wait_gets_the_answer_later(client: AskedClient) -> None:
    waiting = client.call("evaluate", expression=CONFIRM, wait_seconds=ASKS_WITHIN)
    assert "Waiting for an answer of the person at this client: Go on?" in whole(waiting)
    client.respond(client.wait_to_be_asked()["id"], accepted(answer=True))
    assert "true" in whole(client.call("get_evaluation", evaluation_id=id_in(waiting)))
    assert client.asked == ["Go on?"]


def test_a_question_is_asked_once_however_often_the_evaluation_is_followed(client: AskedClient) -> None:
    evaluation_id = id_in(client.call("evaluate", expression=CONFIRM, wait_seconds=ASKS_WITHIN))
    client.call("get_evaluation", evaluation_id=evaluation_id, wait_seconds=1)
    assert client.asked == ["Go on?"]
    client.call("stop_evaluation", evaluation_id=evaluation_id)


def test_a_stop_ends_it_and_withdraws_the_question(client: AskedClient) -> None:
    evaluation_id = id_in(client.call("evaluate", expression=CONFIRM, wait_seconds=ASKS_WITHIN))
    asked = client.wait_to_be_asked()
    client.call("stop_evaluation", evaluation_id=evaluation_id)
    assert client.wait_for("notifications/cancelled")["requestId"] == asked["id"]
    client.respond(asked["id"], accepted(answer=True))  # too late, and no harm
    assert "stopped on request" in whole(client.call("get_evaluation", evaluation_id=evaluation_id))


def test_a_cancelled_call_ends_it(client: AskedClient) -> None:
    client.begin(80, "evaluate", expression=CONFIRM)
    asked = client.wait_to_be_asked()
    client.cancel(80)
    assert client.wait_for("notifications/cancelled")["requestId"] == asked["id"]
    assert running(client) == "none"


@pytest.mark.parametrize("modern", [False, True], ids=["legacy", "modern"])
def test_a_client_that_goes_ends_it(image: LiveImage, client: AskedClient, modern: bool) -> None:
    with AskedClient(env=image.env()) as other:
        other.shake_hands()
        if modern:
            other.modern("evaluate", {"expression": CONFIRM})
        else:
            other.begin(90, "evaluate", expression=CONFIRM)
            other.wait_to_be_asked()
        other.close_input()
        other.wait()
    assert running(client) == "none"


def test_what_got_its_answer_goes_on_when_the_client_goes(image: LiveImage, client: AskedClient) -> None:
    with AskedClient(env=image.env()) as other:
        other.shake_hands()
        expression = f"{CONFIRM}. Semaphore new wait"
        evaluation_id = id_in(other.call("evaluate", expression=expression, wait_seconds=ASKS_WITHIN))
        other.respond(other.wait_to_be_asked()["id"], accepted(answer=True))
        eventually(lambda: "asks:" not in whole(client.call("get_status")))
        other.close_input()
        other.wait()
    stopped = whole(client.call("stop_evaluation", evaluation_id=evaluation_id))
    assert stopped.startswith(f"Stopped: {evaluation_id}")


def test_the_status_says_that_it_asks(client: AskedClient) -> None:
    evaluation_id = id_in(client.call("evaluate", expression=CONFIRM, wait_seconds=ASKS_WITHIN))
    assert f"{evaluation_id}, asks: {CONFIRM}" in whole(client.call("get_status"))
    client.call("stop_evaluation", evaluation_id=evaluation_id)


def test_a_modern_client_repeats_its_request_with_the_answer(client: AskedClient) -> None:
    arguments = {"expression": f"({CONFIRM}) -> (UIManager default request: 'Name?')"}
    required = client.modern("evaluate", arguments)["result"]
    for answer in (True, "Ada"):
        assert required["resultType"] == "input_required"
        [(name, asked)] = required["inputRequests"].items()
        assert asked["method"] == "elicitation/create"
        responses = {name: accepted(answer)}
        required = client.modern(
            "evaluate", arguments, requestState=required["requestState"], inputResponses=responses
        )["result"]
    assert required["resultType"] == "complete"
    assert whole(required).startswith("true->'Ada'")
    assert client.asked == []


def test_a_modern_client_is_asked_again_for_what_is_missing(client: AskedClient) -> None:
    arguments = {"expression": CONFIRM}
    first = client.modern("evaluate", arguments)["result"]
    again = client.modern("evaluate", arguments, requestState=first["requestState"])["result"]
    assert again["inputRequests"] == first["inputRequests"]
    [name] = again["inputRequests"]
    declined = client.modern(
        "evaluate", arguments, requestState=again["requestState"], inputResponses={name: DECLINED}
    )
    assert "the person declined" in failure(declined["result"])


def test_a_request_that_is_repeated_twice_has_two_answers(client: AskedClient) -> None:
    params = {"name": "evaluate", "arguments": {"expression": CONFIRM}, "_meta": MODERN}
    required = client.request("tools/call", **params)["result"]
    responses = dict.fromkeys(required["inputRequests"], accepted(answer=True))
    again = {**params, "requestState": required["requestState"], "inputResponses": responses}
    for number in (1, 2):
        client.send({"jsonrpc": "2.0", "id": f"again {number}", "method": "tools/call", "params": again})
    assert [whole(client.receive()["result"]) for _ in range(2)] == ["true", "true"]


@pytest.mark.parametrize("change", ["state", "arguments"])
def test_a_state_is_good_for_its_request_alone(client: AskedClient, change: str) -> None:
    required = client.modern("evaluate", {"expression": CONFIRM})["result"]
    state = required["requestState"] + ("x" if change == "state" else "")
    expression = CONFIRM if change == "state" else f"{CONFIRM}. 3"
    error = client.modern("evaluate", {"expression": expression}, requestState=state)["error"]
    assert error["code"] == -32602
    assert "requestState is not valid" in error["message"]


def test_a_destructive_tool_asks_with_confirm(image: LiveImage) -> None:
    with AskedClient("--confirm", env=image.env()) as client:
        client.shake_hands()
        newest = mark(client)
        question = f"The assistant wants to use undo_change with to {newest}. Go on?"
        client.answers = {question: accepted(answer=False)}
        assert "did not agree" in failure(client.call("undo_change", to=newest))
        client.answers = {question: accepted(answer=True)}
        assert not client.call("undo_change", to=newest)["isError"]
        assert client.asked == [question, question]
        required = client.modern("undo_change", {"to": newest})["result"]
        agreed = client.modern(
            "undo_change",
            {"to": newest},
            requestState=required["requestState"],
            inputResponses={"confirm": accepted(answer=True)},
        )
        assert not agreed["result"]["isError"]
