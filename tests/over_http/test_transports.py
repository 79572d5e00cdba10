"""HTTP transports deliver lines to the right stream, tested without a network."""

import asyncio
from collections.abc import Awaitable, Callable
from queue import SimpleQueue

import pytest

from pharo_mcp.http.requests import HttpError
from pharo_mcp.http.sessions import SessionTransport, SingleRequestTransport
from pharo_mcp.http.streams import BACKLOG, Stream, StreamItem
from pharo_mcp.wire.jsonrpc import Batch, Notification, Request, Response, encode, join
from pharo_mcp.wire.transport import EndOfInput, TransportEvent

CHANGED = encode(Notification("notifications/tools/list_changed"))


def in_a_loop(test: Callable[[], Awaitable[None]]) -> Callable[[], None]:
    """Run a test in an event loop, which streams require."""

    def run() -> None:
        asyncio.run(asyncio.wait_for(test(), 10))

    run.__name__ = test.__name__
    return run


def started() -> tuple[SessionTransport, SimpleQueue[TransportEvent]]:
    transport, events = SessionTransport(), SimpleQueue[TransportEvent]()
    transport.start(events.put)
    return transport, events


@in_a_loop
async def test_messages_posted_before_the_start_are_delivered_at_the_start() -> None:
    transport, events = SessionTransport(), SimpleQueue[TransportEvent]()
    transport.post(Request(1, "a"), Stream())
    transport.start(events.put)
    transport.post(Request(2, "b"), Stream())
    assert [events.get(), events.get()] == [Request(1, "a"), Request(2, "b")]


@in_a_loop
async def test_messages_that_belong_to_no_request_wait_for_a_listener() -> None:
    transport, _ = started()
    transport.send(CHANGED)
    reader = Stream()
    stream = transport.listen(reader)
    assert (await reader.take(1)).line == CHANGED
    transport.send(CHANGED)
    assert (await reader.take(1)).line == CHANGED
    transport.stop_reading(stream, reader)
    transport.send(CHANGED)
    assert await reader.take(0) == StreamItem()


@in_a_loop
async def test_a_request_of_ours_belongs_to_the_request_that_it_is_related_to() -> None:
    transport, _ = started()
    listener, streams = Stream(), [Stream(), Stream()]
    transport.listen(listener)
    for number, stream in enumerate(streams):
        transport.post(Request(number, "tools/call"), stream)
    for number, stream in enumerate(streams):
        asked = encode(Request(f"ours-{number}", "elicitation/create"))
        transport.send(asked, number)
        assert (await stream.take(1)).line == asked
    transport.send(encode(Response(0, {})))
    late = encode(Notification("notifications/cancelled", {"requestId": "ours-0"}))
    transport.send(late, 0)
    assert (await listener.take(1)).line == late


@in_a_loop
async def test_a_replaced_listener_does_not_stop_the_new_one() -> None:
    transport, _ = started()
    first, second = Stream(), Stream()
    replaced = transport.listen(first)
    transport.listen(second)
    transport.stop_reading(replaced, first)
    transport.send(CHANGED)
    assert (await first.take(1)).is_last
    assert (await second.take(1)).line == CHANGED


@in_a_loop
async def test_undelivered_messages_are_bounded() -> None:
    transport, _ = started()
    for number in range(BACKLOG + 5):
        transport.send(encode(Notification("x", {"number": number})))
    stream = Stream()
    transport.listen(stream)
    assert b":5}" in ((await stream.take(1)).line or b"")


@in_a_loop
async def test_a_slow_client_loses_the_oldest_events_but_not_the_answer() -> None:
    stream = Stream()
    for _ in range(BACKLOG + 5):
        stream.put(CHANGED)
    stream.finish(b"answer")
    assert (await stream.take_last()).line == b"answer"


@in_a_loop
async def test_progress_goes_to_its_request() -> None:
    transport, _ = started()
    first, second = Stream(), Stream()
    transport.post(Request(1, "a"), first)
    transport.post(Request(2, "a"), second)
    progress = encode(Notification("notifications/progress", {"progressToken": "two", "progress": 1}))
    transport.send(progress, related=2)
    assert (await second.take(1)).line == progress
    assert (await first.take(0)).line is None


@in_a_loop
async def test_the_answer_to_a_batch_may_lack_cancelled_requests() -> None:
    transport, _ = started()
    stream = Stream()
    transport.post(Batch((Request(1, "a"), Request(2, "b"))), stream)
    transport.post(Notification("notifications/cancelled", {"requestId": 1}), Stream())
    line = join([encode(Response(2, {}))])
    transport.send(line)
    assert (await stream.take(1)) == StreamItem(line, is_last=True, id="1-1")
    assert not transport.is_active


@in_a_loop
async def test_an_id_is_in_use_until_it_is_answered() -> None:
    transport, _ = started()
    transport.post(Request(1, "a"), Stream())
    with pytest.raises(HttpError):
        transport.post(Batch((Request(2, "b"), Request(1, "a"))), Stream())
    transport.send(encode(Response(1, {})))
    assert transport.post(Request(1, "a"), Stream())


@in_a_loop
async def test_the_answer_ends_the_input_of_a_single_request() -> None:
    stream, events = Stream(), SimpleQueue[TransportEvent]()
    transport = SingleRequestTransport(Request(1, "a"), stream)
    transport.start(events.put)
    transport.send(CHANGED)
    transport.send(encode(Response(1, {})))
    assert [events.get(), events.get()] == [Request(1, "a"), EndOfInput()]
    assert (await stream.take(1)).line == CHANGED
    assert (await stream.take(1)).is_last
