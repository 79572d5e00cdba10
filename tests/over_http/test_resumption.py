"""Streams of a session go on in another response after a connection broke."""

from typing import Any

import pytest

from over_http.serving import ConnectionFactory, OpenResponse, Web, as_body, call
from over_http.test_transports import in_a_loop, started
from pharo_mcp.http.sessions import MOST_STREAMS
from pharo_mcp.http.streams import MOST_BYTES, MOST_EVENTS, Position, SentEvents, Stream, StreamItem
from pharo_mcp.protocol.catalog import ServerEvent
from pharo_mcp.wire.jsonrpc import Notification, Request, Response, encode
from server.conversation import Workbench, request

NEWEST = "2025-11-25"
TOOLS, PROMPTS = ServerEvent("tools"), ServerEvent("prompts")
CHANGED = encode(Notification("notifications/tools/list_changed"))


def next_id(response: OpenResponse) -> str:
    """The id of the next event."""
    while not (line := response.raw.readline()).startswith(b"id:"):
        assert line, "the stream has ended"
    return line[3:].strip().decode()


def begin_wait(session: Web, request_id: object = 1) -> OpenResponse:
    body = as_body(call(request_id, "wait"))
    return session.begin("POST", body, Accept="text/event-stream", MCP_Protocol_Version=NEWEST)


def test_a_broken_stream_of_a_request_is_resumed_with_the_answer(session: Web, workbench: Workbench) -> None:
    with begin_wait(session) as broken:
        beginning = next_id(broken)
    workbench.released.set()
    with session.begin("GET", Last_Event_ID=beginning) as resumed:
        answer = resumed.next_event()
        assert resumed.next_event() is None
    assert (answer["id"], answer["result"]["content"][0]["text"]) == (1, "released")


def test_an_answer_can_be_fetched_again_by_its_stream(session: Web, workbench: Workbench) -> None:
    workbench.released.set()
    with begin_wait(session) as response:
        beginning, _ = next_id(response), response.next_event()
    for _ in range(2):
        with session.begin("GET", Last_Event_ID=beginning) as resumed:
            assert resumed.next_event()["id"] == 1


def test_a_stream_begins_with_an_event_without_data_only_for_clients_that_know_it(
    session: Web, workbench: Workbench
) -> None:
    workbench.released.set()
    with begin_wait(session) as response:
        lines = [response.raw.readline() for _ in range(3)]
    assert lines == [b"id: 2-0\n", b"retry: 500\n", b"data:\n"]
    body = as_body(call(2, "wait"))
    with session.begin("POST", body, Accept="text/event-stream", MCP_Protocol_Version="2025-06-18") as early:
        assert early.raw.readline() == b"id: 3-1\n"


def test_a_listener_gets_what_it_missed(session: Web, factory: ConnectionFactory) -> None:
    with session.begin("GET", MCP_Protocol_Version=NEWEST) as broken:
        beginning = next_id(broken)
        factory.event_bus.publish(TOOLS)
        assert broken.next_event()["method"] == "notifications/tools/list_changed"
    factory.event_bus.publish(PROMPTS)
    with session.begin("GET", Last_Event_ID=beginning) as resumed:
        methods = [resumed.next_event()["method"] for _ in range(2)]
    assert methods == ["notifications/tools/list_changed", "notifications/prompts/list_changed"]


@pytest.mark.parametrize("event_id", ["99-1", "1", "-", "1-1-1", "x" * 5000])
def test_a_stream_that_is_not_known_cannot_be_resumed(session: Web, event_id: str) -> None:
    reply = session.ask("GET", Last_Event_ID=event_id)
    assert (reply.status, reply.json["error"]["code"]) == (400, -32600)


def test_the_streams_of_another_session_cannot_be_resumed(url: str, workbench: Workbench) -> None:
    mine, theirs = Web(url), Web(url)
    mine.initialize()
    theirs.initialize()
    with begin_wait(mine) as broken:
        beginning = next_id(broken)
    assert theirs.ask("GET", Last_Event_ID=beginning).status == 400
    workbench.released.set()


@in_a_loop
async def test_a_response_of_one_answer_is_not_kept() -> None:
    transport, _ = started()
    stream: Any = transport.post(Request(1, "a"), Stream())
    transport.send(encode(Response(1, {})))
    transport.forget(stream)
    assert transport.resume(Stream(), Position(stream.number)) is None


@in_a_loop
async def test_only_the_last_streams_that_have_ended_can_be_resumed() -> None:
    transport, _ = started()
    working = transport.post(Request("working", "a"), Stream())
    for number in range(MOST_STREAMS + 1):
        transport.post(Request(number, "a"), Stream())
        transport.send(encode(Response(number, {})))
    assert transport.resume(Stream(), Position(2)) is None
    assert transport.resume(Stream(), Position(MOST_STREAMS + 2))
    assert working is transport.resume(Stream(), Position(1))


@in_a_loop
async def test_a_stream_whose_end_the_client_has_got_ends_at_once() -> None:
    transport, _ = started()
    stream: Any = transport.post(Request(1, "a"), Stream())
    transport.send(encode(Response(1, {})))
    reader = Stream()
    assert transport.resume(reader, Position(stream.number, 1)) is stream
    assert await reader.take(1) == StreamItem(is_last=True)


@in_a_loop
async def test_a_stream_whose_answer_is_no_longer_kept_cannot_be_resumed() -> None:
    transport, _ = started()
    stream: Any = transport.post(Request(1, "a"), Stream())
    transport.send(encode(Response(1, {})))
    transport.listen(Stream())
    for _ in range(MOST_EVENTS):
        transport.send(CHANGED)
    assert transport.resume(Stream(), Position(stream.number)) is None


@in_a_loop
async def test_progress_after_the_answer_goes_to_the_listener() -> None:
    transport, _ = started()
    transport.post(Request(1, "a", {"_meta": {"progressToken": "one"}}), Stream())
    transport.send(encode(Response(1, {})))
    progress = encode(Notification("notifications/progress", {"progressToken": "one", "progress": 1}))
    transport.send(progress)
    reader = Stream()
    transport.listen(reader)
    assert (await reader.take(1)).line == progress


def test_the_events_that_are_kept_are_bounded() -> None:
    sent = SentEvents()
    for number in range(MOST_EVENTS + 5):
        sent.add(Position(1, number + 1), StreamItem(b"x"))
    assert len(sent.after(Position(1))) == MOST_EVENTS
    for number in range(4):
        sent.add(Position(2, number + 1), StreamItem(b"x" * (MOST_BYTES // 2)))
    assert (len(sent.after(Position(1))), len(sent.after(Position(2)))) == (0, 2)
    sent.add(Position(3, 1), StreamItem(b"x" * (MOST_BYTES + 1)))
    assert len(sent.after(Position(3))) == 1


def test_a_get_after_the_end_of_a_session_is_not_found(session: Web) -> None:
    assert session.post(request(1, "ping")).json["result"] == {}
    session.ask("DELETE")
    assert session.ask("GET", Last_Event_ID="1-0").status == 404
