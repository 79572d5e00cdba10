"""Threads for requests that wait for the image."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Semaphore, Thread


class Workers:
    """Runs tasks in at most `limit` threads, each started when a task finds no idle one.

    The threads are daemons, unlike those of `concurrent.futures`: a task that hangs must not keep the
    process from ending. A task must not raise.
    """

    def __init__(self, name: str, limit: int) -> None:
        self._name = name
        self._limit = limit
        self._started = 0
        self._free = Semaphore(0)
        self._tasks: SimpleQueue[Callable[[], None] | None] = SimpleQueue()

    def run(self, task: Callable[[], None]) -> None:
        """Run a task as soon as a thread is free, in order. Called by one thread only."""
        self._tasks.put(task)
        if not self._free.acquire(blocking=False) and self._started < self._limit:
            self._started += 1
            Thread(target=self._work, name=f"{self._name} {self._started}", daemon=True).start()

    def close(self) -> None:
        """End the threads after their tasks. No task may follow."""
        for _ in range(self._started):
            self._tasks.put(None)

    def _work(self) -> None:
        while task := self._tasks.get():
            task()
            self._free.release()
