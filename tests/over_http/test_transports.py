"""Where the lines of a session go, without a network."""

import asyncio
from collections.abc import Awaitable, Callable
from queue import SimpleQueue

import pytest

from pharo_mcp.http.refusals import Refusal
from pharo_mcp.http.streams import BACKLOG, Stream
from pharo_mcp.http.transports import OneAnswer, SessionTransport
from pharo_mcp.jsonrpc import Batch, Notification, Request, Response, encode, join
from pharo_mcp.transports import EndOfInput, Event

CHANGED = encode(Notification("notifications/tools/list_changed"))


def in_a_loop(test: Callable[[], Awaitable[None]]) -> Callable[[], None]:
    """Streams belong to an event loop; so does a test of them."""

    def run() -> None:
        asyncio.run(asyncio.wait_for(test(), 10))

    run.__name__ = test.__name__
    return run


def started() -> tuple[SessionTransport, SimpleQueue[Event]]:
    transport, events = SessionTransport(), SimpleQueue[Event]()
    transport.start(events.put)
    return transport, events


@in_a_loop
async def test_what_was_posted_before_the_start_is_delivered_then() -> None:
    transport, events = SessionTransport(), SimpleQueue[Event]()
    transport.take(Request(1, "a"), Stream())
    transport.start(events.put)
    transport.take(Request(2, "b"), Stream())
    assert [events.get(), events.get()] == [Request(1, "a"), Request(2, "b")]


@in_a_loop
async def test_what_belongs_to_no_request_waits_for_a_listener() -> None:
    transport, _ = started()
    transport.send(CHANGED)
    stream = Stream()
    transport.listen(stream)
    assert (await stream.take(1)).line == CHANGED
    transport.send(CHANGED)
    assert (await stream.take(1)).line == CHANGED
    transport.stop_listening(stream)
    transport.send(CHANGED)
    assert await stream.take(0) == (None, False, None)


@in_a_loop
async def test_a_listener_that_was_replaced_does_not_stop_the_other() -> None:
    transport, _ = started()
    first, second = Stream(), Stream()
    transport.listen(first)
    transport.listen(second)
    transport.stop_listening(first)
    transport.send(CHANGED)
    assert (await first.take(1)).is_last
    assert (await second.take(1)).line == CHANGED


@in_a_loop
async def test_what_nobody_hears_is_bounded() -> None:
    transport, _ = started()
    for number in range(BACKLOG + 5):
        transport.send(encode(Notification("x", {"number": number})))
    stream = Stream()
    transport.listen(stream)
    assert b":5}" in ((await stream.take(1)).line or b"")


@in_a_loop
async def test_a_slow_reader_loses_the_oldest_events_and_not_the_answer() -> None:
    stream = Stream()
    for _ in range(BACKLOG + 5):
        stream.tell(CHANGED)
    stream.finish(b"answer")
    assert (await stream.take_last()).line == b"answer"


@in_a_loop
async def test_reports_go_to_the_request_with_their_token() -> None:
    transport, _ = started()
    first, second = Stream(), Stream()
    transport.take(Request(1, "a", {"_meta": {"progressToken": "one"}}), first)
    transport.take(Request(2, "a", {"_meta": {"progressToken": "two"}}), second)
    report = encode(Notification("notifications/progress", {"progressToken": "two", "progress": 1}))
    transport.send(report)
    assert (await second.take(1)).line == report
    assert (await first.take(0)).line is None


@in_a_loop
async def test_an_answer_to_a_batch_may_lack_what_was_cancelled() -> None:
    transport, _ = started()
    stream = Stream()
    transport.take(Batch((Request(1, "a"), Request(2, "b"))), stream)
    transport.take(Notification("notifications/cancelled", {"requestId": 1}), Stream())
    line = join([encode(Response(2, {}))])
    transport.send(line)
    assert (await stream.take(1)) == (line, True, None)
    assert not transport.is_used


@in_a_loop
async def test_an_id_is_taken_until_it_is_answered() -> None:
    transport, _ = started()
    transport.take(Request(1, "a"), Stream())
    with pytest.raises(Refusal):
        transport.take(Batch((Request(2, "b"), Request(1, "a"))), Stream())
    transport.send(encode(Response(1, {})))
    assert transport.take(Request(1, "a"), Stream())


@in_a_loop
async def test_an_answer_ends_a_conversation_of_one_request() -> None:
    stream, events = Stream(), SimpleQueue[Event]()
    transport = OneAnswer(Request(1, "a"), stream)
    transport.start(events.put)
    transport.send(CHANGED)
    transport.send(encode(Response(1, {})))
    assert [events.get(), events.get()] == [Request(1, "a"), EndOfInput()]
    assert (await stream.take(1)).line == CHANGED
    assert (await stream.take(1)).is_last
