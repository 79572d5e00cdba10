"""The state machine of a connection: events go in, actions come out, and nothing else happens."""

import json
import re
from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.revisions import NEWEST_LEGACY
from pharo_mcp.server import connection
from pharo_mcp.server.client_requests import ToClient
from pharo_mcp.server.connection import (
    REQUEST_TRANSITIONS,
    TRANSITIONS,
    Accept,
    AcceptNoMore,
    Action,
    Closing,
    Connection,
    DrainTimeOver,
    Event,
    Finished,
    Overdue,
    ProgressReport,
    RequestState,
    Send,
    Start,
    State,
    Stop,
)
from pharo_mcp.server.lifecycle import Lifecycle, RequestContext
from pharo_mcp.server.methods import Method
from pharo_mcp.server.subscriptions import EventBus, Subscriptions
from pharo_mcp.wire.jsonrpc import Batch, Notification, Request, Response
from pharo_mcp.wire.transport import ClientGone, EndOfInput
from server.conversation import IDENTITY

ROW = re.compile(r"^    (\w+) +(\w+) +(\w+)(?:  .*)?$", re.M)


def rows_of(table: int) -> set[tuple[str, str, str]]:
    """The rows of a table of the module's documentation: `table` counts from 0."""
    documented = re.split(r"state +event +next.*\n", connection.__doc__ or "")[1 + table]
    return set(ROW.findall(documented.split("\n\n")[0]))


@pytest.mark.parametrize(("table", "moves"), [(0, REQUEST_TRANSITIONS), (1, TRANSITIONS)])
def test_the_documentation_lists_exactly_the_transitions_of_the_code(
    table: int, moves: Mapping[tuple[Enum, type], Enum]
) -> None:
    assert rows_of(table) == {
        (state.value, event.__name__, following.value) for (state, event), following in moves.items()
    }


@pytest.mark.parametrize(
    ("moves", "last"),
    [(TRANSITIONS, {State.CLOSED}), (REQUEST_TRANSITIONS, {RequestState.ANSWERED, RequestState.DROPPED})],
)
def test_a_last_state_is_never_left(moves: Mapping[tuple[Enum, type], Enum], last: set[Enum]) -> None:
    assert set(moves.values()) - {state for state, _ in moves} == last


def nothing(context: object) -> dict[str, object]:
    """Answers nothing: the machine calls no method."""
    raise AssertionError


WAITS, AT_ONCE = Method(nothing, waits=True), Method(nothing)


def machine() -> Connection:
    """A machine after its handshake, with a method that waits and one that does not."""
    lifecycle = Lifecycle(IDENTITY)
    version = {"protocolVersion": NEWEST_LEGACY.name}
    lifecycle.initialize(RequestContext(version, NEWEST_LEGACY, Call()))
    subscriptions = Subscriptions(lifecycle, EventBus().tasks)
    return Connection(lifecycle, {"wait": WAITS, "now": AT_ONCE}, subscriptions, drain_seconds=1)


def cancelled(request_id: int) -> Notification:
    return Notification("notifications/cancelled", {"requestId": request_id})


def start(number: int, request_id: int, method: str = "wait") -> Start:
    return Start(number, Request(request_id, method), NEWEST_LEGACY, {"wait": WAITS, "now": AT_ONCE}[method])


def test_a_request_is_started_and_its_answer_sent() -> None:
    client = machine()
    assert client.handle(Request(7, "wait")) == [start(1, 7)]
    assert client.handle(Finished(1, b"answer\n")) == [Send(b"answer\n")]


def test_a_cancelled_request_is_stopped_and_never_answered() -> None:
    client = machine()
    client.handle(Request(7, "wait"))
    assert client.handle(cancelled(7)) == [Stop(1)]
    assert client.handle(cancelled(7)) == []
    assert client.handle(Finished(1, b"answer\n")) == []


def test_a_request_whose_work_hangs_is_answered_with_an_error_and_stopped() -> None:
    client = machine()
    client.handle(Request(7, "wait"))
    [stop, answer] = client.handle(Overdue(1))
    assert stop == Stop(1)
    assert isinstance(answer, Send)
    assert json.loads(answer.line)["error"]["code"] == -32603
    assert client.handle(Overdue(1)) == []
    assert client.handle(Request(7, "wait")) == [start(2, 7)]
    assert client.handle(Finished(1, b"late\n")) == []


def test_the_id_of_a_cancelled_request_can_be_used_again_while_its_work_goes_on() -> None:
    client = machine()
    client.handle(Request(7, "wait"))
    client.handle(cancelled(7))
    assert client.handle(Request(7, "wait")) == [start(2, 7)]
    assert client.handle(Finished(1, b"old\n")) == []
    assert client.handle(Finished(2, b"new\n")) == [Send(b"new\n")]


def test_an_id_in_use_is_refused() -> None:
    client = machine()
    client.handle(Request(7, "wait"))
    [refusal] = client.handle(Request(7, "wait"))
    assert isinstance(refusal, Send)
    assert b"-32600" in refusal.line


def test_a_cancelled_request_counts_as_in_flight_until_its_work_has_ended(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(connection, "IN_FLIGHT_LIMIT", 1)
    client = machine()
    client.handle(Request(1, "wait"))
    client.handle(cancelled(1))
    [refusal] = client.handle(Request(2, "wait"))
    assert isinstance(refusal, Send)
    client.handle(Finished(1, b"late\n"))
    assert client.handle(Request(3, "wait")) == [start(2, 3)]


def test_the_answers_to_a_batch_are_sent_together_in_its_order() -> None:
    client = machine()
    batch = Batch((Request(1, "wait"), Notification("x"), Request(2, "now")))
    assert client.handle(batch) == [start(1, 1), start(2, 2, "now")]
    assert client.handle(Finished(2, b"2\n")) == []
    assert client.handle(Finished(1, b"1\n")) == [Send(b"[1,2]\n")]


def test_progress_is_sent_while_it_increases_and_its_request_runs() -> None:
    client = machine()
    client.handle(Request(7, "wait", {"_meta": {"progressToken": "t"}}))
    assert [len(client.handle(ProgressReport(1, each, None, None))) for each in (1, 1, 0.5, 2)] == [
        1,
        0,
        0,
        1,
    ]
    client.handle(cancelled(7))
    assert client.handle(ProgressReport(1, 3, None, None)) == []


def test_responses_are_passed_on_and_lines_for_the_client_sent() -> None:
    client = machine()
    assert client.handle(Response("pharo-mcp-1", {})) == [Accept(Response("pharo-mcp-1", {}))]
    assert client.handle(ToClient(b"line\n", 7)) == [Send(b"line\n", 7)]


def test_the_end_of_input_waits_for_what_runs() -> None:
    client = machine()
    client.handle(Request(7, "wait"))
    assert client.handle(EndOfInput()) == [AcceptNoMore()]
    assert client.handle(Finished(1, b"answer\n")) == [Send(b"answer\n")]
    assert client.state is State.CLOSED


def test_what_runs_too_long_after_the_end_of_input_is_answered_and_stopped() -> None:
    client = machine()
    client.handle(Request(7, "wait"))
    client.handle(EndOfInput())
    [answer, stop] = client.handle(DrainTimeOver())
    assert isinstance(answer, Send)
    assert json.loads(answer.line)["error"]["message"].startswith("pharo-mcp ended before this was done")
    assert (stop, client.state) == (Stop(1), State.CLOSED)


@pytest.mark.parametrize("event", [ClientGone("it died"), Closing()])
def test_a_connection_that_is_closed_stops_what_runs_and_answers_nothing(event: Event) -> None:
    client = machine()
    client.handle(Request(7, "wait"))
    assert client.handle(event) == [Stop(1)]
    assert client.state is State.CLOSED
    assert client.handle(Finished(1, b"answer\n")) == []
    assert client.handle(Request(8, "now")) == []


WAITING = st.builds(Request, st.integers(0, 3), st.just("wait"))
EVENTS = st.one_of(
    st.builds(Request, st.integers(0, 3), st.sampled_from(["wait", "now", "unknown"])),
    st.builds(cancelled, st.integers(0, 3)),
    st.builds(
        lambda requests: Batch(tuple(requests)),
        st.lists(st.builds(Request, st.integers(0, 3), st.just("wait")), min_size=1, max_size=3),
    ),
    st.integers(0, 20),  # the work that has ended: one of what runs
    st.builds(Overdue, st.integers(0, 20)),  # the same for work that hangs
    st.sampled_from([EndOfInput(), DrainTimeOver(), ClientGone("it died"), Closing()]),
)


def ids_sent(actions: Iterable[Action]) -> list[Any]:
    """The ids of all answers among some actions."""
    lines = [json.loads(action.line) for action in actions if isinstance(action, Send)]
    return [each["id"] for line in lines for each in (line if isinstance(line, list) else [line])]


class Played:
    """A machine, and what the actions that it returned have led to."""

    def __init__(self) -> None:
        self.machine = machine()
        self.running: dict[int, Start] = {}
        self.stopped: list[int] = []
        self.answered: list[object] = []

    def play(self, event: Event) -> None:
        """Handle an event, and do the actions."""
        was = self.machine.state
        actions = self.machine.handle(event)
        assert not (actions and was is State.CLOSED)
        self.answered += ids_sent(actions)
        for action in actions:
            match action:
                case Start(number, method=method):
                    self.running[number] = action
                    if not method.waits:
                        self.finish(number)
                case Stop(number):
                    self.stopped.append(number)

    def finish(self, number: int) -> None:
        """Let the work of a request end."""
        request_id = self.running.pop(number).request.id
        self.play(Finished(number, json.dumps({"id": request_id}).encode()))


@settings(deadline=None, derandomize=True, max_examples=500)
@given(st.lists(EVENTS, max_size=30))
def test_no_request_is_answered_twice_and_none_stopped_twice_while_open(events: list[Any]) -> None:
    played, sent = Played(), 0
    for event in events:
        if isinstance(event, Overdue):
            if played.running:
                played.play(Overdue(sorted(played.running)[event.number % len(played.running)]))
        elif not isinstance(event, int):
            sent += len(event.messages) if isinstance(event, Batch) else isinstance(event, Request)
            played.play(event)
        elif played.running:
            played.finish(sorted(played.running)[event % len(played.running)])
        if played.machine.state is State.OPEN:
            assert len(played.stopped) == len(set(played.stopped))
    assert len(played.answered) <= sent
