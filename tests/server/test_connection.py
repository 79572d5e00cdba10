"""The conversation as a whole: what goes on at the same time, and how it ends."""

import threading
from collections.abc import Mapping

import pytest

from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import ServerEvent, ToolResult
from pharo_mcp.server.connection import IN_FLIGHT_LIMIT
from pharo_mcp.server.subscriptions import EventBus
from programs import PATIENCE
from server.conversation import SERVING, Conversation, Workbench, request


def test_others_are_answered_while_many_calls_wait(talk: Conversation) -> None:
    for number in range(40):
        talk.call(number, "wait")
    assert talk.ask("ping")["result"] == {}
    assert talk.ask("tools/call", name="quick")["result"]["content"][0]["text"] == "looked"
    assert talk.ask("tools/call", name="nope")["error"]["code"] == -32602
    assert talk.ask("tools/call")["error"]["code"] == -32602
    talk.workbench.released.set()
    assert len(talk.rest()) == 40


def test_requests_that_need_no_image_are_answered_in_order(talk: Conversation) -> None:
    methods = ["ping", "tools/list", "unknown", "prompts/list", "resources/list"] * 20
    for number, method in enumerate(methods):
        talk.request(number, method)
    assert [talk.receive()["id"] for _ in methods] == list(range(100))


def test_hundreds_of_calls_at_once_are_all_answered(talk: Conversation) -> None:
    for number in range(300):
        talk.call(number, "echo", text=f"{number}")
    answers = {answer["id"]: answer["result"]["content"][0]["text"] for answer in talk.rest()}
    assert answers == {number: f"{number}" for number in range(300)}


def test_more_requests_than_may_wait_are_refused_with_a_reason(talk: Conversation) -> None:
    for number in range(IN_FLIGHT_LIMIT + 1):
        talk.call(number, "wait")
    refused = talk.receive()
    assert (refused["id"], refused["error"]["code"]) == (IN_FLIGHT_LIMIT, -32603)
    assert talk.ask("ping")["result"] == {}


def test_the_end_of_input_waits_for_what_is_in_flight(talk: Conversation) -> None:
    talk.call(1, "wait")
    talk.call(2, "wait")
    talk.end()
    assert talk.workbench.started.wait(PATIENCE)
    talk.workbench.released.set()
    assert {answer["id"] for answer in talk.rest()} == {1, 2}


@pytest.mark.parametrize(
    ("method", "params"),
    [("tools/call", {"name": "wait"}), ("resources/read", {"uri": "pharo://class/Slow"})],
)
def test_a_request_that_runs_too_long_after_the_end_of_input_is_answered_and_stopped(
    method: str, params: dict[str, object]
) -> None:
    conversation = Conversation(drain_seconds=0.05)
    conversation.shake_hands()
    conversation.request(1, method, **params)
    assert conversation.workbench.started.wait(PATIENCE)
    [answer] = conversation.rest()
    assert answer["id"] == 1
    assert answer["error"] == {
        "code": -32603,
        "message": (
            "pharo-mcp ended before this was done, 0.05 seconds after the end of its input. "
            "It may have run, and may still be running in the image: look there before you repeat it."
        ),
    }
    assert conversation.workbench.stopped.wait(PATIENCE)


def test_a_request_that_was_not_started_before_the_end_of_input_is_answered() -> None:
    conversation = Conversation(drain_seconds=0.05)
    conversation.shake_hands()
    for number in range(40):
        conversation.call(number, "wait")
    assert sorted(answer["id"] for answer in conversation.rest()) == list(range(40))


def test_a_batch_that_is_not_done_in_time_keeps_the_answers_that_are_there() -> None:
    conversation = Conversation(drain_seconds=0.05)
    conversation.shake_hands()
    conversation.send([request(1, "tools/call", name="wait"), request(2, "ping")])
    [[unfinished, pong]] = conversation.rest()
    assert unfinished["error"]["code"] == -32603
    assert pong == {"jsonrpc": "2.0", "id": 2, "result": {}}


def test_a_client_that_is_gone_after_its_last_answer_has_lost_none(talk: Conversation) -> None:
    assert talk.ask("ping")["result"] == {}
    talk.stop_reading()
    talk.end()
    talk.wait_for_the_end()
    assert talk.lost is None


def test_closing_stops_what_is_in_flight_without_an_answer(talk: Conversation) -> None:
    talk.call(1, "wait")
    assert talk.workbench.started.wait(PATIENCE)
    talk.connection.close()
    talk.wait_for_the_end()
    assert talk.workbench.stopped.is_set()
    assert talk.receive_line() is None


def test_a_client_that_is_gone_ends_the_conversation_and_its_work(talk: Conversation) -> None:
    talk.call(1, "wait")
    assert talk.workbench.started.wait(PATIENCE)
    talk.stop_reading()
    talk.request(2, "ping")
    talk.wait_for_the_end()
    assert talk.workbench.stopped.is_set()
    assert talk.lost == "the other end stopped reading"


def test_the_first_answer_is_reported_once() -> None:
    told: list[str] = []
    conversation = Conversation(after_first_answer=lambda: told.append("answered"))
    assert told == []
    conversation.shake_hands()
    conversation.ask("ping")
    conversation.rest()
    assert told == ["answered"]


class BuggyEvents(Workbench):
    """Publishes what JSON cannot say, just before a call is answered."""

    def __init__(self) -> None:
        super().__init__()
        self.event_bus = EventBus()

    def echo(self, arguments: Mapping[str, object], call: Call) -> ToolResult:
        """Answer after the event."""
        self.event_bus.publish(ServerEvent("message", {"level": "error", "data": float("nan")}))
        return super().echo(arguments, call)


def test_a_bug_in_an_event_ends_the_conversation_and_is_raised_whichever_thread_has_handled_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bugs: list[threading.ExceptHookArgs] = []
    monkeypatch.setattr(threading, "excepthook", bugs.append)
    workbench = BuggyEvents()
    talk = Conversation(workbench, workbench.event_bus)
    talk.shake_hands()
    talk.ask("ping")
    talk.call(1, "echo", text="hi")
    talk.wait_for_the_end()
    assert talk.receive_line() is None
    assert {bug.exc_type for bug in bugs} == {ValueError}
    assert SERVING in {bug.thread.name for bug in bugs if bug.thread}


def test_a_bug_in_an_event_stops_the_work_of_other_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", lambda bug: None)
    workbench = BuggyEvents()
    talk = Conversation(workbench, workbench.event_bus)
    talk.shake_hands()
    talk.call(1, "wait")
    assert workbench.started.wait(PATIENCE)
    talk.call(2, "echo", text="hi")
    talk.wait_for_the_end()
    assert workbench.stopped.wait(PATIENCE)
