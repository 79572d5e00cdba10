"""Processes, semaphores, timers and watched descriptors.

The machine runs one process; the others that could run wait in a queue for each priority. A process of
higher priority takes over at once; the one it takes over from goes to the back of its queue, as in Pharo.
"""

from __future__ import annotations

import heapq
import itertools
import selectors
import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from pharo_standin.limits import check_limits
from pharo_standin.objects import DEAD, Code, CompiledMethod, Context, Pointers, Value, new_context
from pharo_standin.primitive import SWITCH

if TYPE_CHECKING:
    from pharo_standin.machine import Machine

# the fields of a Process, a LinkedList and a Semaphore
NEXT_LINK, SUSPENDED_CONTEXT, PRIORITY, MY_LIST = 0, 1, 2, 3
FIRST_LINK, LAST_LINK, EXCESS_SIGNALS = 0, 1, 2
HIGHEST = 80
POLLS_BETWEEN_CHECKS = 16
EVENTS = {"read": selectors.EVENT_READ, "write": selectors.EVENT_WRITE}


class Finished(Exception):
    """Ends the machine's loop; raised by the last operation of an evaluation."""

    def __init__(self, value: Value) -> None:
        super().__init__("finished")
        self.value = value


class NothingToRun(Exception):
    """No process can run, no timer is set and no descriptor watched: nothing will ever happen."""


class OutOfTurns(Exception):
    """The budget of an evaluation is used up."""


class Scheduler:
    """Decides which process runs."""

    def __init__(self, vm: Machine) -> None:
        self.vm = vm
        self.active: Pointers | None = None
        self.ready: list[deque[Pointers]] = [deque() for _ in range(HIGHEST + 1)]
        self.timers: list[tuple[float, int, Pointers]] = []
        self.order = itertools.count()
        self.selector = selectors.DefaultSelector()
        self.polls = 0
        self.turns: int | None = None
        """Polls left before ``OutOfTurns``; None for no bound."""
        self.is_done: Callable[[], bool] | None = None
        """Asked at each poll; true ends the machine's loop."""
        self.bottom = _ending(self._end)
        """The sender of every process's first context."""
        self.idle = _ending(self._wait)

    # processes

    @property
    def priority(self) -> int:
        """That of the active process, 0 when idle."""
        return self.active.fields[PRIORITY] if self.active is not None else 0

    def make_ready(self, process: Pointers, *, in_front: bool = False) -> None:
        """Queue a process that can run."""
        queue = self.ready[process.fields[PRIORITY]]
        process.fields[MY_LIST] = None
        if in_front:
            queue.appendleft(process)
        else:
            queue.append(process)

    def resume(self, process: Pointers) -> bool:
        """Let a process run; answers whether it has taken over from the active one."""
        self.make_ready(process)
        return self.preempt()

    def preempt(self) -> bool:
        """Give way to a ready process of higher priority; answers whether there was one."""
        if not any(self.ready[self.priority + 1 :]):
            return False
        if self.active is not None:
            self.make_ready(self.active)
            self.park()
        self.switch()
        return True

    def yield_turn(self) -> bool:
        """Give way to a ready process of the same priority."""
        if self.active is None or not self.ready[self.priority]:
            return False
        self.make_ready(self.active)
        self.park()
        self.switch()
        return True

    def park(self) -> None:
        """Let the active process keep its context; it is no longer active."""
        assert self.active is not None  # noqa: S101
        self.active.fields[SUSPENDED_CONTEXT] = self.vm.active
        self.active = None

    def switch(self) -> None:
        """Run the ready process of highest priority, or idle."""
        for queue in reversed(self.ready):
            if queue:
                self.active = process = queue.popleft()
                self.vm.active = process.fields[SUSPENDED_CONTEXT]
                process.fields[SUSPENDED_CONTEXT] = None
                return
        self.active = None
        self.vm.active = self.idle
        self.idle.pc = 1

    def suspend(self, process: Pointers) -> Value:
        """Take a process out of whatever it waits in; answers the list it was in."""
        if process is self.active:
            self.park()
            self.switch()
            return SWITCH
        waiting = process.fields[MY_LIST]
        if waiting is not None:
            _unlink(waiting, process)
            process.fields[MY_LIST] = None
        else:
            queue = self.ready[process.fields[PRIORITY]]
            if process in queue:
                queue.remove(process)
        return waiting

    def abandon(self, process: Pointers) -> None:
        """Let a process never run again; what was active goes on when its turn comes."""
        if self.active is not None and self.active is not process:
            self.make_ready(self.active, in_front=True)
            self.park()
        self.active = None
        self.suspend(process)
        process.fields[SUSPENDED_CONTEXT] = None

    def is_ready(self, process: Pointers) -> bool:
        """Whether the process waits only for its turn."""
        return process in self.ready[process.fields[PRIORITY]]

    def set_priority(self, process: Pointers, priority: int) -> bool:
        """Change a priority; answers whether another process has taken over."""
        if process is not self.active and self.is_ready(process):
            self.ready[process.fields[PRIORITY]].remove(process)
            process.fields[PRIORITY] = priority
            self.make_ready(process)
        else:
            process.fields[PRIORITY] = priority
        return self.preempt()

    def _end(self, _context: Context) -> int:
        """The first context of a process has returned."""
        if self.active is not None:
            self.active.fields[SUSPENDED_CONTEXT] = None
        self.switch()
        return 0

    # semaphores

    def signal(self, semaphore: Pointers) -> None:
        """Let the first waiting process run when its turn comes, or remember the signal."""
        process = semaphore.fields[FIRST_LINK]
        if process is None:
            semaphore.fields[EXCESS_SIGNALS] += 1
            return
        _unlink(semaphore, process)
        self.make_ready(process)

    def wait(self, semaphore: Pointers) -> bool:
        """Take a signal, or park the active process until there is one; answers whether it has to wait."""
        if semaphore.fields[EXCESS_SIGNALS] > 0:
            semaphore.fields[EXCESS_SIGNALS] -= 1
            return False
        assert self.active is not None  # noqa: S101
        self.active.fields[MY_LIST] = semaphore
        _link(semaphore, self.active)
        self.park()
        self.switch()
        return True

    # the outside world

    def signal_at(self, semaphore: Pointers, seconds: float) -> None:
        """See ``Machine.signal_at``."""
        heapq.heappush(self.timers, (seconds, next(self.order), semaphore))

    def cancel_timer(self, semaphore: Pointers) -> None:
        """Forget every timer of a semaphore."""
        self.timers = [timer for timer in self.timers if timer[2] is not semaphore]
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

    def _look_out(self, timeout: float) -> None:
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
            self.signal(heapq.heappop(self.timers)[2])

    def poll(self) -> None:
        """Look at clocks, descriptors and limits, between two quanta of work."""
        if self.turns is not None:
            self.turns -= 1
            if self.turns < 0:
                raise OutOfTurns("the evaluation used up its budget")
        if self.timers or self.selector.get_map():
            self._look_out(0)
        self.polls += 1
        if self.polls % POLLS_BETWEEN_CHECKS == 0:
            check_limits(self.vm)
        self._finish_if_done()
        self.preempt()

    def _finish_if_done(self) -> None:
        if self.is_done is not None and self.is_done():
            raise Finished(None)

    def _wait(self, context: Context) -> int:
        """Idle until some process can run."""
        context.pc = 1
        if self.timers:
            self._look_out(max(0.0, self.timers[0][0] - time.monotonic()))
        elif self.selector.get_map():
            self._look_out(60)
        else:
            raise NothingToRun("no process can run, and nothing will wake one")
        self._finish_if_done()
        self.preempt()
        return 0


def _ending(operation: object) -> Context:
    """A context whose only operation is the given one, over and over."""
    code = Code(0)
    code.code = [operation, operation]  # type: ignore[list-item]
    method = CompiledMethod("", "", None)  # type: ignore[arg-type]
    method.code = code.code
    return new_context(DEAD, method, None, [])


def _link(waiting: Pointers, process: Pointers) -> None:
    """Append a process to a linked list."""
    process.fields[NEXT_LINK] = None
    last = waiting.fields[LAST_LINK]
    if last is None:
        waiting.fields[FIRST_LINK] = process
    else:
        last.fields[NEXT_LINK] = process
    waiting.fields[LAST_LINK] = process


def _unlink(waiting: Pointers, process: Pointers) -> None:
    """Take a process out of a linked list, wherever in it."""
    previous, each = None, waiting.fields[FIRST_LINK]
    while each is not None and each is not process:
        previous, each = each, each.fields[NEXT_LINK]
    if each is None:
        return
    following = process.fields[NEXT_LINK]
    if previous is None:
        waiting.fields[FIRST_LINK] = following
    else:
        previous.fields[NEXT_LINK] = following
    if waiting.fields[LAST_LINK] is process:
        waiting.fields[LAST_LINK] = previous
    process.fields[NEXT_LINK] = None
