"""Handing the reading over to another thread while the one that reads is at work."""

from collections.abc import Callable
from contextlib import suppress
from threading import Lock, Semaphore, Thread
from time import sleep

from pharo_mcp.threads import Threads
from pharo_mcp.times import HANDOVER_SECONDS

from .transport import Work


class Handover:
    """Lets another thread `read` when the one that reads has been at work for HANDOVER_SECONDS.

    To wake a thread takes a good part of a short call. So the one that watches over the time is not woken for
    each call: it looks at intervals, until there is no work any more.
    """

    def __init__(self, read: Callable[[], None]) -> None:
        self._read = read
        self._threads = Threads("reader")
        self._wake = Semaphore(0)
        self._is_open = True
        self._lock = Lock()  # held to change what follows
        self._begun = 0
        self._current: int | None = None  # the number of the work, while its thread is the one that reads
        self._rests = True
        with suppress(RuntimeError):  # no thread can be started: then reading waits for the work
            Thread(target=self._watch, name="handover", daemon=True).start()

    def do(self, work: Work) -> bool:
        """Do some work in the thread that reads; whether it still is the one, afterwards."""
        with self._lock:
            self._begun += 1
            number = self._current = self._begun
            rested, self._rests = self._rests, False
        if rested:
            self._wake.release()
        work()
        with self._lock:
            if self._current != number:
                return False
            self._current = None
            return True

    def close(self) -> None:
        """End the threads after what they do. The thread that reads calls this after its last work."""
        self._is_open = False
        self._wake.release()
        self._threads.close()

    def _watch(self) -> None:
        while self._is_open:
            self._wake.acquire()
            while not self._rests:
                self._look()

    def _look(self) -> None:
        begun = self._begun
        sleep(HANDOVER_SECONDS)
        with self._lock:
            if self._current == begun:
                with suppress(RuntimeError):  # as above, until one can be started
                    self._threads.run(self._read)
                    self._current = None
            self._rests = self._current is None and self._begun == begun
