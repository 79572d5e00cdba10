"""Every request is answered within 45 seconds of its arrival, on a clock that the tests turn."""

from collections.abc import Iterator
from typing import Any

import pytest

from server.conversation import MODERN, Conversation, request

WORKERS = 16


class Clock:
    """Shows what it is told to show."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Timed(Conversation):
    """A conversation with a clock of its own."""

    def __init__(self) -> None:
        self.clock = Clock()
        super().__init__(clock=self.clock)
        self.shake_hands()

    def pass_time(self, seconds: float) -> None:
        """Let time pass after all that was sent has arrived."""
        assert self.ask("ping")["result"] == {}
        self.clock.now += seconds

    def occupy_workers(self) -> None:
        """Give every worker something that takes long."""
        for number in range(WORKERS):
            self.call(f"early {number}", "wait")


@pytest.fixture
def timed() -> Iterator[Timed]:
    conversation = Timed()
    yield conversation
    conversation.connection.close()
    conversation.wait_for_the_end()


def is_busy(answer: Any) -> bool:
    text = answer["result"]["content"][0]["text"]
    return bool(answer["result"]["isError"] and "busy" in text and "Nothing ran" in text)


def test_a_request_that_was_not_started_in_time_is_answered_while_others_continue(timed: Timed) -> None:
    timed.occupy_workers()
    timed.call("late", "wait")
    timed.pass_time(40.5)
    answer = timed.receive()
    assert answer["id"] == "late"
    assert is_busy(answer)
    timed.workbench.released.set()
    rest = timed.rest()
    assert len(rest) == WORKERS
    assert not any(each["result"]["isError"] for each in rest)


def test_later_requests_may_wait_longer(timed: Timed) -> None:
    timed.occupy_workers()
    timed.call("first", "wait")
    timed.pass_time(20)
    timed.call("second", "wait")
    timed.pass_time(20.5)
    assert timed.receive()["id"] == "first"
    assert timed.ask("ping")["result"] == {}
    timed.pass_time(20)
    assert timed.receive()["id"] == "second"


def test_a_refused_request_never_runs(timed: Timed) -> None:
    timed.occupy_workers()
    timed.call("late", "count", numbers=[1])
    timed.send(
        request("told", "tools/call", name="count", arguments={"numbers": [1]}, _meta={"progressToken": 1})
    )
    timed.pass_time(41)
    assert [timed.receive()["id"], timed.receive()["id"]] == ["late", "told"]
    timed.workbench.released.set()
    assert all("method" not in message for message in timed.rest())


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("resources/read", {"uri": "pharo://class/Any"}),
        ("prompts/get", {"name": "greet", "arguments": {"who": "Ada"}}),
    ],
)
@pytest.mark.parametrize("meta", [{}, {"_meta": MODERN}], ids=["legacy", "modern"])
def test_a_resource_or_prompt_that_was_not_begun_in_time_is_an_error(
    timed: Timed, method: str, params: dict[str, object], meta: dict[str, object]
) -> None:
    timed.occupy_workers()
    timed.request("late", method, **params, **meta)
    timed.pass_time(41)
    answer = timed.receive()
    assert answer["id"] == "late"
    assert answer["error"]["code"] == -32603
    assert answer["error"]["data"] == {"kind": "busy"}
    assert "Nothing ran" in answer["error"]["message"]


def test_in_a_batch_the_others_are_still_awaited(timed: Timed) -> None:
    timed.occupy_workers()
    timed.send([request("late", "tools/call", name="wait"), request("now", "ping")])
    timed.pass_time(41)
    late, now = timed.receive()
    assert is_busy(late)
    assert now == {"jsonrpc": "2.0", "id": "now", "result": {}}


def test_a_handler_sees_what_is_left_of_the_time_since_its_request_came(timed: Timed) -> None:
    timed.occupy_workers()
    timed.call("next", "remaining")
    timed.pass_time(30)
    timed.workbench.released.set()
    answers = {answer["id"]: answer for answer in timed.rest()}
    assert answers["next"]["result"]["content"][0]["text"] == "15.0"
