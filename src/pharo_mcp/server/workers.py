"""Threads for what takes long."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Semaphore, Thread


class Workers:
    """Runs tasks in at most `limit` threads, each made when a task finds no other free.

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
        """Have a task run as soon as a thread is free, in the order of asking; one thread asks."""
        self._tasks.put(task)
        if not self._free.acquire(blocking=False) and self._started < self._limit:
            self._started += 1
            Thread(target=self._work, name=f"{self._name} {self._started}", daemon=True).start()

    def close(self) -> None:
        """Let the threads end when they have done what was asked; ask no more."""
        for _ in range(self._started):
            self._tasks.put(None)

    def _work(self) -> None:
        while task := self._tasks.get():
            task()
            self._free.release()
