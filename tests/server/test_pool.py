"""A pool of threads."""

from queue import SimpleQueue
from threading import Event, Thread

import pytest

from pharo_mcp.server.serving import Pool
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
