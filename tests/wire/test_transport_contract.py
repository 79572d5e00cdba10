"""The contract of transports, tested with each of them: two connected ends."""

import os
from collections.abc import Callable, Iterator
from queue import SimpleQueue
from threading import enumerate as enumerate_threads
from typing import NamedTuple

import pytest

from pharo_mcp.wire.jsonrpc import BadLine, Notification, Request, encode
from pharo_mcp.wire.transport import ClientGone, EndOfInput, PipeTransport, Transport, TransportEvent
from programs import PATIENCE
from wire.memory import memory_pair


class End(NamedTuple):
    """One started end, with the events that reached it."""

    transport: Transport
    events: SimpleQueue[TransportEvent]

    def next(self) -> TransportEvent:
        return self.events.get(timeout=PATIENCE)


class Pair(NamedTuple):
    """Two ends, not yet started; `kill_client` closes the client's end as the death of its process does."""

    client: Transport
    server: Transport
    kill_client: Callable[[], None]


def memory() -> Pair:
    client, server = memory_pair()
    return Pair(client, server, client.vanish)


def pipes() -> Pair:
    (server_in, client_out), (client_in, server_out) = os.pipe(), os.pipe()

    def kill_client() -> None:
        os.close(client_in)
        os.close(client_out)

    return Pair(PipeTransport(client_in, client_out), PipeTransport(server_in, server_out), kill_client)


def start(transport: Transport) -> End:
    events: SimpleQueue[TransportEvent] = SimpleQueue()
    transport.start(events.put)
    return End(transport, events)


@pytest.fixture(params=[memory, pipes])
def pair(request: pytest.FixtureRequest) -> Pair:
    pair: Pair = request.param()
    return pair


@pytest.fixture
def ends(pair: Pair) -> Iterator[tuple[End, End]]:
    yield start(pair.client), start(pair.server)
    pair.client.close(PATIENCE)
    pair.server.close(PATIENCE)


def test_messages_arrive_in_order_both_ways(ends: tuple[End, End]) -> None:
    client, server = ends
    client.transport.send(encode(Request(1, "a")))
    client.transport.send(encode(Request(2, "b")))
    assert [server.next(), server.next()] == [Request(1, "a"), Request(2, "b")]
    server.transport.send(encode(Notification("c")))
    assert client.next() == Notification("c")


def test_lines_may_arrive_in_pieces_and_several_at_once(ends: tuple[End, End]) -> None:
    client, server = ends
    both = encode(Request(1, "a")) + encode(Request(2, "b"))
    client.transport.send(both[:10])
    client.transport.send(both[10:])
    assert [server.next(), server.next()] == [Request(1, "a"), Request(2, "b")]


def test_a_bad_line_is_an_event_and_the_next_line_is_read(ends: tuple[End, End]) -> None:
    client, server = ends
    client.transport.send(b"nonsense\n" + encode(Request(1, "a")))
    assert isinstance(server.next(), BadLine)
    assert server.next() == Request(1, "a")


def test_ten_megabytes_in_one_line_arrive(ends: tuple[End, End]) -> None:
    client, server = ends
    long = Notification("x" * 10_000_000)
    client.transport.send(encode(long))
    assert server.next() == long


def test_closing_delivers_pending_lines_and_ends_the_input_of_the_other_end_once(
    ends: tuple[End, End],
) -> None:
    client, server = ends
    client.transport.send(encode(Request(1, "a")))
    client.transport.close(PATIENCE)
    assert [server.next(), server.next()] == [Request(1, "a"), EndOfInput()]


def test_a_last_line_without_newline_is_read(ends: tuple[End, End]) -> None:
    client, server = ends
    client.transport.send(encode(Request(1, "a")).rstrip())
    client.transport.close(PATIENCE)
    assert [server.next(), server.next()] == [Request(1, "a"), EndOfInput()]


def test_an_end_that_closed_its_output_can_still_receive(ends: tuple[End, End]) -> None:
    client, server = ends
    client.transport.close(PATIENCE)
    assert server.next() == EndOfInput()
    server.transport.send(encode(Notification("late")))
    assert client.next() == Notification("late")


def test_sending_never_blocks_on_an_end_that_does_not_read(ends: tuple[End, End]) -> None:
    _, server = ends
    for _ in range(100):
        server.transport.send(encode(Notification("x" * 100_000)))


def test_no_thread_is_left_after_both_ends_have_closed(pair: Pair) -> None:
    before = set(enumerate_threads())
    client, server = start(pair.client), start(pair.server)
    client.transport.send(encode(Request(1, "a")))
    assert server.next() == Request(1, "a")
    client.transport.close(PATIENCE)
    server.transport.close(PATIENCE)
    for thread in set(enumerate_threads()) - before:
        thread.join(PATIENCE)
        assert not thread.is_alive(), thread.name


def test_sending_to_an_end_that_died_is_reported(pair: Pair) -> None:
    server = start(pair.server)
    pair.kill_client()
    assert server.next() == EndOfInput()
    server.transport.send(encode(Notification("late")))
    assert isinstance(server.next(), ClientGone)
    server.transport.close(PATIENCE)
