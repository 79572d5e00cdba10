"""A pool of threads."""

import threading
from queue import SimpleQueue
from threading import Event, Thread
from time import monotonic

import pytest

from pharo_mcp.server.serving import MOST_IDLE, Pool
from programs import PATIENCE


def test_tasks_run_at_the_same_time_and_idle_threads_are_used_again() -> None:
    pool, begun, go_on = Pool(), SimpleQueue[int](), Event()

    def task(number: int) -> None:
        begun.put(number)
        go_on.wait(PATIENCE)

    for number in range(20):
        pool.run(lambda number=number: task(number))  # type: ignore[misc]
    assert {begun.get(timeout=PATIENCE) for _ in range(20)} == set(range(20))
    go_on.set()
    pool.close()


def test_if_no_thread_can_be_started_a_task_waits_for_one_at_work(monkeypatch: pytest.MonkeyPatch) -> None:
    pool, done, go_on = Pool(), SimpleQueue[str](), Event()
    pool.run(lambda: (go_on.wait(PATIENCE), done.put("first"))[-1])  # type: ignore[func-returns-value]

    def refuse(thread: Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(Thread, "start", refuse)
    pool.run(lambda: done.put("second"))
    go_on.set()
    assert [done.get(timeout=PATIENCE), done.get(timeout=PATIENCE)] == ["first", "second"]
    pool.close()


def test_only_some_idle_threads_are_kept() -> None:
    before, pool, go_on = set(threading.enumerate()), Pool(), Event()

    def wait() -> None:
        go_on.wait(PATIENCE)

    for _ in range(MOST_IDLE + 5):
        pool.run(wait)
    workers = set(threading.enumerate()) - before
    assert len(workers) == MOST_IDLE + 5
    go_on.set()
    until = monotonic() + PATIENCE
    while sum(each.is_alive() for each in workers) > MOST_IDLE and monotonic() < until:
        next(each for each in workers if each.is_alive()).join(0.01)
    assert sum(each.is_alive() for each in workers) == MOST_IDLE
    pool.close()
    for each in workers:
        each.join(PATIENCE)
    assert not any(each.is_alive() for each in workers)
