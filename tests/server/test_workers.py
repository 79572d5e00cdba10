"""The order and the number of requests that run at the same time."""

from queue import SimpleQueue
from threading import Event

from pharo_mcp.server.workers import Workers

PATIENCE = 10.0


def test_a_task_is_for_the_thread_that_offers_it_as_long_as_fewer_than_the_limit_run() -> None:
    workers = Workers("test", limit=1)
    ran: list[str] = []
    work = workers.offer(lambda: ran.append("first"))
    assert work
    assert workers.offer(lambda: ran.append("second")) is None
    work()
    assert ran == ["first", "second"], "the thread that ends runs what has waited"
    assert workers.offer(lambda: None)
    workers.close()


def test_tasks_begin_in_their_order() -> None:
    workers = Workers("test", limit=1)
    begun: SimpleQueue[int] = SimpleQueue()
    for number in range(20):
        workers.run(lambda number=number: begun.put(number))  # type: ignore[misc]
    assert [begun.get(timeout=PATIENCE) for _ in range(20)] == list(range(20))
    workers.close()


def test_as_many_tasks_as_the_limit_run_at_the_same_time() -> None:
    workers = Workers("test", limit=2)
    begun: SimpleQueue[int] = SimpleQueue()
    go_on = Event()

    def task(number: int) -> None:
        begun.put(number)
        go_on.wait(PATIENCE)

    for number in range(3):
        workers.run(lambda number=number: task(number))  # type: ignore[misc]
    assert {begun.get(timeout=PATIENCE), begun.get(timeout=PATIENCE)} == {0, 1}
    assert begun.empty()
    go_on.set()
    assert begun.get(timeout=PATIENCE) == 2
    workers.close()
