"""A pool of threads for work that waits for others."""

from collections.abc import Callable
from queue import SimpleQueue
from threading import Lock, Thread

MOST_IDLE = 16
"""Threads of the pool that are kept for later requests."""

Task = Callable[[], None]
"""Must not raise."""


class Pool:
    """Runs each task in a thread, which is started if none is idle.

    The threads are daemons, unlike those of `concurrent.futures`: a task that hangs must not keep the process
    from ending. If no thread can be started, the task waits for one that is at work.
    """

    def __init__(self) -> None:
        self._tasks: SimpleQueue[Task | None] = SimpleQueue()
        self._lock = Lock()
        self._size = 0
        self._idle = 0  # without a task; less than 0 if tasks wait for a thread

    def run(self, task: Task) -> None:
        """Run a task in a thread of the pool."""
        with self._lock:
            if self._idle > 0 or not self._start_thread():
                self._idle -= 1
        self._tasks.put(task)

    def close(self) -> None:
        """End the threads after their tasks. No task may follow."""
        with self._lock:
            for _ in range(self._size):
                self._tasks.put(None)

    def _start_thread(self) -> bool:
        thread = Thread(target=self._run_tasks, name=f"worker {self._size + 1}", daemon=True)
        try:
            thread.start()
        except RuntimeError:  # the system has no more threads for us
            if not self._size:
                raise
            return False
        self._size += 1
        return True

    def _run_tasks(self) -> None:
        while task := self._tasks.get():
            task()
            with self._lock:
                if self._idle == MOST_IDLE:
                    self._size -= 1
                    return
                self._idle += 1
