"""The inbox of a connection: events of many threads, one after the other."""

from collections.abc import Iterator
from contextlib import suppress
from threading import Barrier, Event, Thread, current_thread

import pytest

from pharo_mcp.server.serving import Inbox
from pharo_mcp.wire.jsonrpc import Request
from programs import PATIENCE

THREADS = 8
EACH = 500
FIRST, SECOND = Request(1, "first"), Request(2, "second")


class Noted:
    """Handles events by noting them; the first one may be held, put another one, or fail."""

    def __init__(self) -> None:
        self.events: list[object] = []
        self.threads: list[Thread] = []
        self.inbox = Inbox(self.note)
        self.puts_another = False
        self.error: type[Exception] | None = None
        self.may_go_on = Event()
        self.may_go_on.set()
        self.is_handling = Event()

    def note(self, event: object) -> None:
        """Note an event at the end of its handling."""
        self.is_handling.set()
        assert self.may_go_on.wait(PATIENCE)
        if event == FIRST and self.puts_another:
            self.inbox.put(SECOND)
        self.events.append(event)
        self.threads.append(current_thread())
        if event == FIRST and self.error:
            raise self.error


@pytest.fixture
def noted() -> Iterator[Noted]:
    """Where events are noted, which are not held at the end."""
    noted = Noted()
    yield noted
    noted.may_go_on.set()


def test_an_event_is_handled_in_the_thread_that_puts_it(noted: Noted) -> None:
    noted.inbox.put(FIRST)
    assert (noted.events, noted.threads) == ([FIRST], [current_thread()])


def test_an_event_that_is_put_while_one_is_handled_comes_after_that_one(noted: Noted) -> None:
    noted.puts_another = True
    noted.inbox.put(FIRST)
    assert noted.events == [FIRST, SECOND]


def test_a_thread_leaves_its_event_to_the_one_that_is_handling_events(noted: Noted) -> None:
    noted.may_go_on.clear()
    other = Thread(target=noted.inbox.put, args=[FIRST], daemon=True)
    other.start()
    assert noted.is_handling.wait(PATIENCE)
    noted.inbox.put(SECOND)
    assert noted.events == []
    noted.may_go_on.set()
    other.join(PATIENCE)
    assert (noted.events, noted.threads) == ([FIRST, SECOND], [other, other])


def test_an_error_of_one_event_does_not_keep_the_next_from_being_handled(noted: Noted) -> None:
    noted.error = ValueError
    with suppress(ValueError):
        noted.inbox.put(FIRST)
    noted.inbox.put(SECOND)
    assert noted.events == [FIRST, SECOND]


def test_events_of_many_threads_are_handled_in_order_and_none_is_lost(noted: Noted) -> None:
    begin = Barrier(THREADS)

    def put_all(name: str) -> None:
        begin.wait(PATIENCE)
        for number in range(EACH):
            noted.inbox.put(Request(number, name))

    names = [f"{number}" for number in range(THREADS)]
    threads = [Thread(target=put_all, args=[name], daemon=True) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    for name in names:
        assert [each for each in noted.events if isinstance(each, Request) and each.method == name] == [
            Request(number, name) for number in range(EACH)
        ]
    assert len(noted.events) == THREADS * EACH
