"""What only real pipes show."""

import os
import select
from queue import SimpleQueue
from threading import Thread

import pytest

from pharo_mcp.jsonrpc import Notification, encode
from pharo_mcp.transports import ClientGone, EndOfInput, Event, PipeTransport
from pharo_mcp.transports.writer import BACKLOG_LIMIT, DOES_NOT_READ, MEMORY_LIMIT, LineWriter

PATIENCE = 10.0
LINE = encode(Notification("x" * 1_000_000))  # far more than a pipe holds


def test_closing_gives_up_on_an_end_that_does_not_read() -> None:
    reading, writing = os.pipe()
    writer = LineWriter(writing)
    writer.start(lambda reason: None)
    writer.put(LINE)
    assert writer.close(patience=0.05) == "it does not read"
    os.close(reading)


def test_closing_waits_for_an_end_that_reads_slowly() -> None:
    reading, writing = os.pipe()
    transport = PipeTransport(os.open(os.devnull, os.O_RDONLY), writing)
    events: SimpleQueue[Event] = SimpleQueue()
    transport.start(events.put)
    reader = PipeTransport(reading, os.open(os.devnull, os.O_WRONLY))
    transport.send(LINE)
    received: SimpleQueue[Event] = SimpleQueue()
    reader.start(received.put)
    assert transport.close(PATIENCE) is None
    assert received.get(timeout=PATIENCE) == Notification("x" * 1_000_000)
    reader.close(PATIENCE)


def test_a_failed_write_is_told_once_and_what_follows_is_dropped() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    transport = PipeTransport(os.open(os.devnull, os.O_RDONLY), writing)
    events: SimpleQueue[Event] = SimpleQueue()
    transport.start(events.put)
    for _ in range(3):
        transport.send(LINE)
    assert transport.close(PATIENCE) in {"Broken pipe", "nobody reads any more"}
    told = [events.get(timeout=PATIENCE), events.get(timeout=PATIENCE)]
    assert [type(event) for event in told].count(ClientGone) == 1
    assert events.empty()


@pytest.mark.skipif(not hasattr(select, "poll"), reason="the system cannot tell")
def test_a_peer_that_died_is_noticed_without_writing() -> None:
    (reading, writing), (incoming, outside) = os.pipe(), os.pipe()
    transport = PipeTransport(incoming, writing)
    events: SimpleQueue[Event] = SimpleQueue()
    transport.start(events.put)
    os.close(outside)
    assert events.get(timeout=PATIENCE) == EndOfInput()
    os.close(reading)
    assert isinstance(events.get(timeout=PATIENCE), ClientGone)
    assert transport.close(PATIENCE) is None, "there was nothing to say"


def test_a_peer_that_does_not_read_is_given_up_before_it_fills_the_memory() -> None:
    reading, writing = os.pipe()
    writer = LineWriter(writing)
    given_up: SimpleQueue[str] = SimpleQueue()
    writer.start(given_up.put)
    for _ in range(MEMORY_LIMIT // len(LINE) + 3):
        writer.put(LINE)
    assert given_up.get(timeout=PATIENCE) == DOES_NOT_READ
    assert writer.close(patience=0.05) == DOES_NOT_READ
    os.close(reading)


def test_there_is_no_room_while_too_much_waits_to_be_written() -> None:
    reading, writing = os.pipe()
    writer = LineWriter(writing)
    writer.put(bytes(BACKLOG_LIMIT + 1))
    waiting = Thread(target=writer.wait_for_room, daemon=True)
    waiting.start()
    waiting.join(timeout=0.1)
    assert waiting.is_alive()
    writer.start(lambda reason: None)
    os.read(reading, 65536)
    waiting.join(PATIENCE)
    assert not waiting.is_alive()
    os.close(reading)
    writer.close(PATIENCE)
