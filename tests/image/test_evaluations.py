"""An evaluation that is waited for, reported on, followed, stopped, and called back."""

import socket
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from time import monotonic
from typing import Any

import pytest

from image.servers import (
    Gate,
    Remembering,
    Reply,
    asking,
    client_at,
    companion,
    drain,
    failure,
    politely_until,
    rude,
    running,
    seven,
    value,
)
from pharo_mcp.image.client import AT_ONCE, Caller
from pharo_mcp.image.connection import all_within
from pharo_mcp.image.errors import ImageError, NothingRan, RequestRefused
from pharo_mcp.image.replies.evaluations import Evaluation, Running, Stopped
from programs import PATIENCE

RUNNING = Running("e-1", 1.5, transcript="one\n")
STILL = running(1.5, "one\n")
REPORTED = Caller(on_progress=lambda _: None)


def test_only_given_arguments_are_sent() -> None:
    evaluate = Remembering(seven)
    with asking(evaluate=evaluate) as client:
        client.evaluate("3 + 4", 60, Caller("e-1"), wait_seconds=2, receiver="o-1", process="ui")
        client.evaluate("3 + 4", max_characters=5, workspace="mine", on_error="debug")
    assert evaluate.asked == [
        {
            "expression": "3 + 4",
            "evaluation": "e-1",
            "timeoutSeconds": 60,
            "waitSeconds": 2,
            "receiver": "o-1",
            "process": "ui",
        },
        {
            "expression": "3 + 4",
            "timeoutSeconds": 20,
            "maxCharacters": 5,
            "workspace": "mine",
            "onError": "debug",
        },
    ]


def test_a_running_evaluation_is_reported() -> None:
    with asking(evaluate=STILL) as client:
        assert client.evaluate("(Delay forSeconds: 100) wait", 200, wait_seconds=1) == RUNNING


def test_one_that_runs_can_be_followed_to_its_end() -> None:
    evaluation = Remembering(STILL, seven)
    with asking(evaluation=evaluation) as client:
        assert client.follow("e-1") == RUNNING
        assert client.follow("e-1", 30, 10, 100) == Evaluation("7", "SmallInteger")
    assert evaluation.asked == [
        {"evaluation": "e-1"},
        {"evaluation": "e-1", "waitSeconds": 30, "offset": 10, "maxCharacters": 100},
    ]


def test_an_unknown_evaluation_is_reported() -> None:
    def forgotten(_: object) -> Reply:
        return failure(404, "unknownEvaluation", "There is no evaluation e-1.")

    with asking(evaluation=forgotten) as client, pytest.raises(RequestRefused, match="e-1"):
        client.follow("e-1")


def test_with_progress_the_image_is_asked_every_second() -> None:
    evaluate, evaluation = Remembering(STILL), Remembering(STILL, STILL, seven)
    told: list[Running] = []
    with asking(evaluate=evaluate, evaluation=evaluation) as client:
        outcome = client.evaluate("3 + 4", caller=Caller("e-1", told.append), max_characters=9)
    assert outcome == Evaluation("7", "SmallInteger")
    assert told == [RUNNING] * 3
    assert evaluate.asked[0]["waitSeconds"] == 1
    assert evaluation.asked == [{"evaluation": "e-1", "waitSeconds": 1, "maxCharacters": 9}] * 3


def test_with_progress_the_wait_for_a_turn_is_as_long_as_without(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pharo_mcp.image.client.PROGRESS_SECONDS", 0.01)

    def wait_in_vain(body: Any) -> Reply:
        threading.Event().wait(body["waitSeconds"])
        return failure(503, "busy", "The image is busy with 16 evaluations.")

    evaluate = Remembering(wait_in_vain, wait_in_vain, seven)
    with asking(evaluate=evaluate) as client:
        assert client.evaluate("x", caller=REPORTED) == Evaluation("7", "SmallInteger")
    evaluate = Remembering(wait_in_vain)
    with asking(evaluate=evaluate) as client, pytest.raises(NothingRan, match="16 evaluations"):
        client.evaluate("x", wait_seconds=0.1, caller=REPORTED)


def test_telling_ends_when_the_wait_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, waited = monotonic(), list[float]()
    monkeypatch.setattr("pharo_mcp.image.client.monotonic", lambda: begun + sum(waited))

    def wait(body: Any) -> Reply:
        waited.append(body["waitSeconds"])
        return STILL(body)

    with asking(evaluate=wait, evaluation=wait) as client:
        assert client.evaluate("x", 60, wait_seconds=3.5, caller=REPORTED) == RUNNING
    assert waited == [1, 1, 1, 0.5]


def test_a_look_that_the_image_is_too_busy_for_is_taken_again() -> None:
    evaluation = Remembering(lambda _: failure(503, "busy", "Too much."), seven)
    with asking(evaluate=STILL, evaluation=evaluation) as client:
        assert client.evaluate("x", caller=REPORTED) == Evaluation("7", "SmallInteger")


def test_an_image_that_ends_between_two_looks_may_have_run_it() -> None:
    def end(_: Running) -> None:
        image.answers["/evaluation"] = lambda _: failure(
            401, "unauthorized"
        )  # the next one has another token

    with (
        companion(evaluate=STILL) as image,
        client_at(image.address) as client,
        pytest.raises(ImageError) as raised,
    ):
        client.evaluate("x", caller=Caller(on_progress=end))
    assert raised.value.kind == "answerLost"
    assert not isinstance(raised.value, NothingRan)


def test_stopped_evaluations_are_listed() -> None:
    stop = Remembering(lambda _: value({"stopped": ["e-1"], "frozen": ["e-2"]}))
    with asking(stop=stop) as client:
        assert client.stop("e-1") == Stopped(("e-1",), ("e-2",))
        client.stop()
    assert stop.asked == [{"evaluation": "e-1"}, {"all": True}]


def test_stop_and_a_look_get_through_when_all_turns_are_taken() -> None:
    gate = Gate()
    with (
        companion(evaluate=gate, stop=lambda _: value({"stopped": []}), evaluation=STILL) as image,
        client_at(image.address) as client,
        ThreadPoolExecutor(2 * AT_ONCE) as pool,
    ):
        answers = [pool.submit(client.evaluate, "3 + 4") for _ in range(2 * AT_ONCE)]
        gate.wait_for(AT_ONCE)
        assert client.stop("e-1") == Stopped(())
        assert client.follow("e-1") == RUNNING
        gate.open.set()
        assert all(answer.result(PATIENCE) for answer in answers)


def test_the_wait_for_a_turn_is_subtracted_from_the_wait_for_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    gate, evaluate = Gate(), Remembering(lambda body: gate(body))
    with (
        companion(evaluate=evaluate) as image,
        client_at(image.address) as client,
        ThreadPoolExecutor(2 * AT_ONCE) as pool,
    ):
        answers = [pool.submit(client.evaluate, "x") for _ in range(AT_ONCE)]
        gate.wait_for(AT_ONCE)
        monkeypatch.setattr("pharo_mcp.image.client.IMAGE_REQUESTS_SECONDS", 12.0)
        monkeypatch.setattr("pharo_mcp.image.client.GRACE_SECONDS", 0.5)
        late = pool.submit(client.evaluate, "late", caller=Caller("e-1"), timeout_seconds=60, wait_seconds=40)
        while "e-1" not in client._pending:
            threading.Event().wait(0.001)
        assert client.status().name == "Pharo13"
        gate.open.set()
        assert late.result(PATIENCE) == Evaluation("7", "SmallInteger")
        assert all(answer.result(PATIENCE) for answer in answers)
    [asked] = [body for body in evaluate.asked if body["expression"] == "late"]
    assert 1 < asked["waitSeconds"] < 11.5


def test_with_hardly_any_time_left_nothing_is_waited_for() -> None:
    evaluate, evaluation = Remembering(STILL), Remembering(STILL)
    with asking(evaluate=evaluate, evaluation=evaluation) as client, all_within(4):
        assert client.evaluate("x") == RUNNING
        assert client.follow("e-1", wait_seconds=9) == RUNNING
    assert [body["waitSeconds"] for body in (*evaluate.asked, *evaluation.asked)] == [0, 0]


def test_a_cancel_stops_the_evaluation_in_the_image() -> None:
    gate = Gate()

    def stop(body: Any) -> Reply:
        gate.open.set()
        return value({"stopped": [body["evaluation"]]})

    stopping = Remembering(stop)
    with (
        companion(evaluate=gate, stop=stopping) as image,
        client_at(image.address) as client,
        ThreadPoolExecutor() as pool,
    ):
        pool.submit(client.evaluate, "x", caller=Caller("e-1"))
        gate.wait_for(1)
        client.cancel("e-1")
        assert stopping.asked == [{"evaluation": "e-1"}]


def test_a_cancelled_call_ends_at_its_deadline_if_the_image_does_not_stop_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("pharo_mcp.image.client.QUICK_REQUEST_SECONDS", 0.2)
    monkeypatch.setattr("pharo_mcp.image.client.GRACE_SECONDS", 1.0)
    begun = threading.Event()

    def be_silent(peer: socket.socket) -> None:
        begun.set()
        drain(peer)

    with (
        rude(politely_until("/evaluate", be_silent, silent="/stop")) as address,
        client_at(address) as client,
        ThreadPoolExecutor() as pool,
    ):
        answer = pool.submit(client.evaluate, "x", caller=Caller("e-1"), wait_seconds=1)
        assert begun.wait(PATIENCE)
        with pytest.raises(ImageError, match="lost"):
            client.cancel("e-1")
        with pytest.raises(ImageError) as raised:
            answer.result(PATIENCE)
        assert raised.value.kind == "nobodyWaits"


def test_a_cancel_stops_what_reaches_the_image_after_it_again() -> None:
    gate = Gate()

    def stop(body: Any) -> Reply:
        gate.open.set()
        return value({"stopped": [body["evaluation"]]})

    stopping = Remembering(lambda _: value({"stopped": []}), stop)
    with (
        companion(evaluate=gate, stop=stopping) as image,
        client_at(image.address) as client,
        ThreadPoolExecutor() as pool,
    ):
        answer = pool.submit(client.evaluate, "x", caller=Caller("e-1"))
        gate.wait_for(1)
        client.cancel("e-1")
        wait([answer], PATIENCE)
        assert stopping.asked == 2 * [{"evaluation": "e-1"}]


def test_a_request_cancelled_before_its_turn_is_never_sent() -> None:
    gate, evaluate = Gate(), Remembering(lambda body: gate(body))
    with (
        companion(evaluate=evaluate) as image,
        client_at(image.address) as client,
        ThreadPoolExecutor(2 * AT_ONCE) as pool,
    ):
        answers = [pool.submit(client.evaluate, "x") for _ in range(AT_ONCE)]
        gate.wait_for(AT_ONCE)
        waiting = pool.submit(client.evaluate, "never", caller=Caller("e-1"))
        while "e-1" not in client._pending:
            threading.Event().wait(0.001)
        client.cancel("e-1")
        gate.open.set()
        with pytest.raises(ImageError, match="cancelled"):
            waiting.result(PATIENCE)
        assert all(answer.result(PATIENCE) for answer in answers)
    assert "never" not in [body["expression"] for body in evaluate.asked]
    assert "/stop" not in image.asked


def test_cancelling_what_is_over_does_nothing() -> None:
    with companion(evaluate=seven) as image, client_at(image.address) as client:
        client.evaluate("3 + 4", caller=Caller("e-1"))
        client.cancel("e-1")
        assert image.asked == ["/status", "/evaluate"]


def test_a_cancelled_call_leaves_the_others_their_answers() -> None:
    gate = Gate()

    def answer(body: Any) -> Reply:
        return gate(body) if body["expression"] == "wait" else seven(body)

    with (
        companion(evaluate=answer, stop=lambda _: value({"stopped": []})) as image,
        client_at(image.address) as client,
        ThreadPoolExecutor() as pool,
    ):
        kept = pool.submit(client.evaluate, "wait")
        cancelled = pool.submit(client.evaluate, "wait", caller=Caller("e-1"))
        gate.wait_for(2)
        client.cancel("e-1")
        gate.open.set()
        with pytest.raises(ImageError, match="cancelled"):
            cancelled.result(PATIENCE)
        assert kept.result(PATIENCE) == Evaluation("7", "SmallInteger")
        assert image.asked.count("/status") == 1
