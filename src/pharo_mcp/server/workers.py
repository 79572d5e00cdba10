"""The order in which requests that wait for the image are run, and how many at a time."""

from collections import deque
from functools import partial
from threading import Lock

from pharo_mcp.threads import Task, Threads


class Workers:
    """Runs tasks in their order, at most `limit` at a time. Any thread may use it."""

    def __init__(self, name: str, limit: int) -> None:
        self._limit = limit
        self._threads = Threads(name)
        self._lock = Lock()
        self._running = 0
        self._waiting: deque[Task] = deque()

    def run(self, task: Task) -> None:
        """Run a task in another thread, when it is its turn."""
        if work := self.offer(task):
            self._threads.run(work)

    def offer(self, task: Task) -> Task | None:
        """What the calling thread is to run; None if the task has to wait for its turn."""
        with self._lock:
            if self._running == self._limit:
                self._waiting.append(task)
                return None
            self._running += 1
        return partial(self._run_with_followers, task)

    def close(self) -> None:
        """End the threads after their tasks. No task may follow."""
        self._threads.close()

    def _run_with_followers(self, task: Task) -> None:
        following: Task | None = task
        while following:
            following()
            following = self._next_task()

    def _next_task(self) -> Task | None:
        with self._lock:
            if self._waiting:
                return self._waiting.popleft()
            self._running -= 1
            return None
