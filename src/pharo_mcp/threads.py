"""Threads that run tasks."""

from collections.abc import Callable
from itertools import count
from queue import SimpleQueue
from threading import Semaphore, Thread

Task = Callable[[], None]
"""Must not raise."""


class Threads:
    """Runs each task in a thread, which is started if none is idle. Any thread may use it.

    The threads are daemons, unlike those of `concurrent.futures`: a task that hangs must not keep the
    process from ending.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._numbers = count(1)
        self._idle = Semaphore(0)
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()

    def run(self, task: Task) -> None:
        """Run a task in a thread other than this one."""
        if not self._idle.acquire(blocking=False):
            name = f"{self._name} {next(self._numbers)}"
            Thread(target=self._run_tasks, name=name, daemon=True).start()
        self._tasks.put(task)

    def close(self) -> None:
        """End the threads after their tasks. No task may follow."""
        for _ in range(1, next(self._numbers)):
            self._tasks.put(None)

    def _run_tasks(self) -> None:
        while task := self._tasks.get():
            task()
            self._idle.release()
