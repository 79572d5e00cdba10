"""Every request has 45 seconds from its arrival, on a clock that the tests turn."""

import pytest

from pharo_mcp.server import serving
from programs import PATIENCE
from server.conversation import Conversation, Release


class Clock:
    """Shows what it is told to show."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_handler_sees_what_is_left_of_the_time_since_its_request_came() -> None:
    clock = Clock()
    conversation = Conversation(clock=clock)
    conversation.shake_hands()
    conversation.call(1, "wait")
    assert conversation.workbench.started.wait(PATIENCE)
    assert conversation.workbench.waiting.remaining == 45.0
    clock.now += 30
    assert conversation.workbench.waiting.remaining == 15.0
    conversation.call(2, "remaining")
    assert conversation.receive()["result"]["content"][0]["text"] == "45.0"
    conversation.workbench.released.set()
    conversation.rest()


def test_a_call_whose_work_hangs_is_answered_with_an_error_and_stopped() -> None:
    clock = Clock()
    conversation = Conversation(clock=clock)
    conversation.shake_hands()
    conversation.call(1, "wait")
    assert conversation.workbench.started.wait(PATIENCE)
    clock.now += 51
    answer = conversation.receive()
    assert (answer["id"], answer["error"]["code"]) == (1, -32603)
    assert "may have run" in answer["error"]["message"]
    assert conversation.workbench.stopped.wait(PATIENCE)
    assert conversation.ask("ping")["result"] == {}
    assert conversation.rest() == []


def test_a_client_that_never_pauses_does_not_keep_a_call_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "HEARTBEAT_SECONDS", 100.0)  # no pause between two events is that long
    clock = Clock()
    conversation = Conversation(clock=clock)
    conversation.shake_hands()
    conversation.call(1, "wait")
    assert conversation.workbench.started.wait(PATIENCE)
    clock.now += 101
    conversation.request(2, "ping")
    conversation.request(3, "ping")
    assert {conversation.receive()["id"] for _ in range(3)} == {1, 2, 3}
    conversation.rest()


class Stubborn(Release):
    """An event for which calls wait also when they are cancelled."""

    def end_wait(self) -> None:
        """Let them wait."""


def test_a_connection_ends_with_the_answer_to_a_call_that_hangs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(serving, "HEARTBEAT_SECONDS", 20.0)  # so the end of input is handled before the clock
    clock = Clock()
    conversation = Conversation(clock=clock)
    conversation.workbench.released = Stubborn()
    conversation.shake_hands()
    conversation.call(1, "wait")
    assert conversation.workbench.started.wait(PATIENCE)
    clock.now += 51
    [answer] = conversation.rest()
    assert (answer["id"], answer["error"]["code"]) == (1, -32603)
    conversation.workbench.released.set()
