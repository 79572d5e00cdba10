"""Reading while work goes on, where no other thread can be had."""

from queue import SimpleQueue
from threading import Thread

import pytest

from pharo_mcp.wire.jsonrpc import Notification
from pharo_mcp.wire.stdio import ReadingThreads
from pharo_mcp.wire.transport import EndOfInput, TransportEvent, Work

PATIENCE = 10.0


def test_if_no_thread_can_be_started_reading_goes_on_after_the_work(monkeypatch: pytest.MonkeyPatch) -> None:
    done: SimpleQueue[object] = SimpleQueue()

    def refuse(thread: Thread) -> None:
        raise RuntimeError("can't start new thread")

    def deliver(event: TransportEvent) -> Work | None:
        monkeypatch.setattr(Thread, "start", refuse)
        done.put(event)
        return (lambda: done.put("work")) if isinstance(event, Notification) else None

    messages = [Notification("a"), Notification("b")]
    ReadingThreads(iter(messages), lambda: done.put("end")).start(deliver)
    assert [done.get(timeout=PATIENCE) for _ in range(6)] == [
        messages[0],
        "work",
        messages[1],
        "work",
        EndOfInput(),
        "end",
    ]
