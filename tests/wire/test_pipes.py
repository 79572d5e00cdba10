"""Behaviour of real pipes."""

import os
import select
from queue import SimpleQueue
from threading import Thread

import pytest

from pharo_mcp.wire.jsonrpc import Notification, encode
from pharo_mcp.wire.transport import (
    BACKLOG_LIMIT,
    MEMORY_LIMIT,
    STOPPED_READING,
    ClientGone,
    EndOfInput,
    LineWriter,
    PipeTransport,
    TransportEvent,
)
from programs import PATIENCE

LINE = encode(Notification("x" * 1_000_000))  # far more than the capacity of a pipe


def test_closing_gives_up_on_a_peer_that_does_not_read() -> None:
    reading, writing = os.pipe()
    writer = LineWriter(writing)
    writer.start(lambda reason: None)
    writer.put(LINE)
    assert writer.close(timeout=0.05) == "the client stopped reading"
    os.close(reading)


def test_closing_waits_for_a_peer_that_reads_slowly() -> None:
    reading, writing = os.pipe()
    transport = PipeTransport(os.open(os.devnull, os.O_RDONLY), writing)
    events: SimpleQueue[TransportEvent] = SimpleQueue()
    transport.start(events.put)
    reader = PipeTransport(reading, os.open(os.devnull, os.O_WRONLY))
    transport.send(LINE)
    received: SimpleQueue[TransportEvent] = SimpleQueue()
    reader.start(received.put)
    assert transport.close(PATIENCE) is None
    assert received.get(timeout=PATIENCE) == Notification("x" * 1_000_000)
    reader.close(PATIENCE)


def test_a_failed_write_is_reported_once_and_later_lines_are_dropped() -> None:
    reading, writing = os.pipe()
    os.close(reading)
    transport = PipeTransport(os.open(os.devnull, os.O_RDONLY), writing)
    events: SimpleQueue[TransportEvent] = SimpleQueue()
    transport.start(events.put)
    for _ in range(3):
        transport.send(LINE)
    assert transport.close(PATIENCE) in {"Broken pipe", "the client closed the connection"}
    received = [events.get(timeout=PATIENCE), events.get(timeout=PATIENCE)]
    assert [type(event) for event in received].count(ClientGone) == 1
    assert events.empty()


@pytest.mark.skipif(not hasattr(select, "poll"), reason="the system cannot detect it")
def test_a_peer_that_died_is_detected_without_writing() -> None:
    (reading, writing), (incoming, client_end) = os.pipe(), os.pipe()
    transport = PipeTransport(incoming, writing)
    events: SimpleQueue[TransportEvent] = SimpleQueue()
    transport.start(events.put)
    os.close(client_end)
    assert events.get(timeout=PATIENCE) == EndOfInput()
    os.close(reading)
    assert isinstance(events.get(timeout=PATIENCE), ClientGone)
    assert transport.close(PATIENCE) is None, "nothing was sent"


def test_writing_is_given_up_before_pending_lines_exhaust_the_memory() -> None:
    reading, writing = os.pipe()
    writer = LineWriter(writing)
    failures: SimpleQueue[str] = SimpleQueue()
    writer.start(failures.put)
    for _ in range(MEMORY_LIMIT // len(LINE) + 3):
        writer.put(LINE)
    assert failures.get(timeout=PATIENCE) == STOPPED_READING
    assert writer.close(timeout=0.05) == STOPPED_READING
    os.close(reading)


def test_there_is_no_room_while_too_many_bytes_are_pending() -> None:
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


def test_lines_of_any_length_arrive_in_their_order() -> None:
    reading, writing = os.pipe()
    writer = LineWriter(writing)
    writer.start(lambda reason: None)
    read: list[bytes] = []

    def read_all() -> None:
        with os.fdopen(reading, "rb") as pipe:
            read.extend(pipe)

    reader = Thread(target=read_all, daemon=True)
    reader.start()
    lines = [b"%d%s\n" % (number, b"x" * (number % 5) * 50_000) for number in range(100)]
    for line in lines:
        writer.put(line)
    assert writer.close(PATIENCE) is None
    reader.join(PATIENCE)
    assert read == lines
