"""Timers and watched descriptors: what wakes processes from outside the image."""

from __future__ import annotations

import heapq
import itertools
import selectors
import time
from collections.abc import Callable

from pharo_practice.model.behavior import Pointers

EVENTS = {"read": selectors.EVENT_READ, "write": selectors.EVENT_WRITE}
LONGEST_WAIT = 60.0


class TimersAndIO:
    """Timers and watched descriptors."""

    def __init__(self, signal: Callable[[Pointers], None]) -> None:
        self.signal = signal
        self.timers: list[tuple[float, int, Pointers, Callable[[], None]]] = []
        """Due time, order of creation, owner, and what to call."""
        self.order = itertools.count()
        self.selector = selectors.DefaultSelector()

    @property
    def is_quiet(self) -> bool:
        """Whether there is no timer and no watched descriptor."""
        return not self.timers and not self.selector.get_map()

    @property
    def next_look(self) -> float:
        """Seconds until a timer is due, or until the next look without one."""
        if not self.timers:
            return LONGEST_WAIT
        return min(LONGEST_WAIT, max(0.0, self.timers[0][0] - time.monotonic()))

    def signal_at(self, semaphore: Pointers, seconds: float) -> None:
        """See ``Machine.signal_at``."""
        self.call_at(seconds, semaphore, lambda: self.signal(semaphore))

    def call_at(self, seconds: float, owner: Pointers, action: Callable[[], None]) -> None:
        """Call ``action`` when ``time.monotonic()`` has reached ``seconds``, unless ``owner`` cancels it."""
        heapq.heappush(self.timers, (seconds, next(self.order), owner, action))

    def cancel_timer(self, owner: Pointers) -> None:
        """Forget every timer of an owner; a semaphore owns those that signal it."""
        self.timers = [timer for timer in self.timers if timer[2] is not owner]
        heapq.heapify(self.timers)

    def watch(self, descriptor: int, kind: str, semaphore: Pointers) -> None:
        """See ``Machine.watch``."""
        waiting = dict(self._watchers(descriptor))
        waiting[EVENTS[kind]] = semaphore
        self._register(descriptor, waiting)

    def unwatch(self, descriptor: int) -> None:
        """See ``Machine.unwatch``."""
        waiting = self._watchers(descriptor)
        self._register(descriptor, {})
        for semaphore in waiting.values():
            self.signal(semaphore)

    def _watchers(self, descriptor: int) -> dict[int, Pointers]:
        key = self.selector.get_map().get(descriptor)
        found: dict[int, Pointers] = key.data if key is not None else {}
        return found

    def _register(self, descriptor: int, waiting: dict[int, Pointers]) -> None:
        if descriptor in self.selector.get_map():
            self.selector.unregister(descriptor)
        if waiting:
            self.selector.register(descriptor, sum(waiting), waiting)

    def look(self, timeout: float) -> None:
        """Signal what is due, waiting at most ``timeout`` seconds for a descriptor."""
        if self.selector.get_map():
            for key, events in self.selector.select(timeout):
                waiting: dict[int, Pointers] = key.data
                ready = [event for event in waiting if event & events]
                semaphores = [waiting[event] for event in ready]
                self._register(key.fd, {event: waiting[event] for event in waiting if event not in ready})
                for semaphore in semaphores:
                    self.signal(semaphore)
        elif timeout > 0:
            time.sleep(timeout)
        now = time.monotonic()
        while self.timers and self.timers[0][0] <= now:
            heapq.heappop(self.timers)[3]()
