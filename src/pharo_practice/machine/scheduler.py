"""Processes and semaphores: which process runs, and what wakes those that wait.

Timers and watched descriptors only signal semaphores, between two quanta of work or while nothing can run.
"""

from __future__ import annotations

import heapq
import itertools
import selectors
import time
from collections import deque
from collections.abc import Callable

from pharo_practice.machine.interpreter import Interpreter
from pharo_practice.machine.primitive import SWITCH
from pharo_practice.model.objects import DEAD, Code, CompiledMethod, Context, Pointers, Value, new_context

NEXT_LINK = 0
"""The field of a process."""

FIRST_LINK, LAST_LINK = 0, 1
"""The fields of a list."""


def append(waiting: Pointers, process: Pointers) -> None:
    """Append a process to a linked list."""
    process.fields[NEXT_LINK] = None
    last = waiting.fields[LAST_LINK]
    if last is None:
        waiting.fields[FIRST_LINK] = process
    else:
        last.fields[NEXT_LINK] = process
    waiting.fields[LAST_LINK] = process


def unlink(waiting: Pointers, process: Pointers) -> None:
    """Remove a process from anywhere in a linked list."""
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
        """Signal a semaphore when ``time.monotonic()`` has reached ``seconds``."""
        self.call_at(seconds, semaphore, lambda: self.signal(semaphore))

    def call_at(self, seconds: float, owner: Pointers, action: Callable[[], None]) -> None:
        """Call ``action`` when ``time.monotonic()`` has reached ``seconds``, unless ``owner`` cancels it."""
        heapq.heappush(self.timers, (seconds, next(self.order), owner, action))

    def cancel_timer(self, owner: Pointers) -> None:
        """Forget every timer of an owner; a semaphore owns those that signal it."""
        self.timers = [timer for timer in self.timers if timer[2] is not owner]
        heapq.heapify(self.timers)

    def watch(self, descriptor: int, kind: str, semaphore: Pointers) -> None:
        """Signal a semaphore once when a descriptor is ready to "read" or "write"."""
        waiting = dict(self._watchers(descriptor))
        waiting[EVENTS[kind]] = semaphore
        self._register(descriptor, waiting)

    def unwatch(self, descriptor: int) -> None:
        """Stop watching a descriptor about to be closed, and signal the semaphores that wait for it."""
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


# the fields of a Process and a Semaphore that are used here
SUSPENDED_CONTEXT, PRIORITY, MY_LIST, EFFECTIVE_PROCESS = 1, 2, 3, 6
EXCESS_SIGNALS = 2
HIGHEST = 80
TURNS_PER_SECOND = 1_000
"""How many turns a second of idling takes from the budget of an evaluation."""


class Finished(Exception):
    """Ends the machine's loop; raised by the last operation of an evaluation."""

    def __init__(self, value: Value) -> None:
        super().__init__("finished")
        self.value = value


class NothingToRun(Exception):
    """No process can run, no timer is set and no descriptor is watched: nothing will ever happen."""


class OutOfTurns(Exception):
    """The budget of an evaluation is used up."""


class EvaluationLost(NothingToRun):
    """The process of an evaluation went on taking memory after OutOfMemory, and was ended."""


class Scheduler:
    """Decides which process runs."""

    def __init__(self, vm: Interpreter) -> None:
        self.vm = vm
        self.active: Pointers | None = None
        self.ready: list[deque[Pointers]] = [deque() for _ in range(HIGHEST + 1)]
        self.ready_priorities = 0
        """A bit for each priority at which a process is ready."""
        self.timers_and_io = TimersAndIO(self.signal)
        self.turns: int | None = None
        """Polls left before ``OutOfTurns``; None for no bound."""
        self.evaluated: Pointers | None = None
        """The process of the evaluation under way, if there is one."""
        self.is_done: Callable[[], bool] | None = None
        """Asked at each poll; true ends the machine's loop."""
        self.is_stepping = False
        """Whether the active process is executing an operation of another one."""
        vm.bottom = ending(self._end)
        self.idle = ending(self._wait)

    # processes

    @property
    def effective(self) -> Pointers | None:
        """The active process, or the one on whose behalf it evaluates something."""
        active = self.active
        return active and (active.fields[EFFECTIVE_PROCESS] or active)

    @property
    def priority(self) -> int:
        """That of the active process, 0 when idle."""
        return self.active.fields[PRIORITY] if self.active is not None else 0

    def make_ready(self, process: Pointers, *, in_front: bool = False) -> None:
        """Queue a process that can run."""
        priority = process.fields[PRIORITY]
        queue = self.ready[priority]
        self.ready_priorities |= 1 << priority
        process.fields[MY_LIST] = None
        if in_front:
            queue.appendleft(process)
        else:
            queue.append(process)

    def preempt(self) -> bool:
        """Run a ready process of higher priority instead; returns whether there was one."""
        if not self.ready_priorities >> self.priority + 1:
            return False
        if self.active is not None:
            self.make_ready(self.active)
            self.park()
        self.switch()
        return True

    def step_aside(self) -> None:
        """Let no process be active; the one that was is first in its queue, since it may hold a lock."""
        if self.active is not None:
            self.make_ready(self.active, in_front=True)
            self.park()

    def yield_turn(self) -> bool:
        """Give way to a ready process of the same priority."""
        if self.active is None or not self.ready[self.priority]:
            return False
        self.make_ready(self.active)
        self.park()
        self.switch()
        return True

    def park(self) -> None:
        """Deactivate the active process, and store its context in it."""
        assert self.active is not None  # noqa: S101
        self.active.fields[SUSPENDED_CONTEXT] = self.vm.active
        self.active = None

    def switch(self) -> None:
        """Run the ready process of highest priority, or idle."""
        if self.ready_priorities:
            self.active = process = self._take(self.ready_priorities.bit_length() - 1)
            self.vm.active = process.fields[SUSPENDED_CONTEXT]
            process.fields[SUSPENDED_CONTEXT] = None
            return
        self.active = None
        self.vm.active = self.idle
        self.idle.pc = 1

    def _take(self, priority: int) -> Pointers:
        """The process that is next in the queue of a priority."""
        process = self.ready[priority].popleft()
        self._note_queue(priority)
        return process

    def _remove(self, process: Pointers) -> None:
        """Remove a process from the queue that it is in."""
        priority = process.fields[PRIORITY]
        self.ready[priority].remove(process)
        self._note_queue(priority)

    def _note_queue(self, priority: int) -> None:
        if not self.ready[priority]:
            self.ready_priorities &= ~(1 << priority)

    def suspend(self, process: Pointers) -> Value:
        """Remove a process from the list it waits in; returns that list."""
        if process is self.active:
            self.park()
            self.switch()
            return SWITCH
        waiting = process.fields[MY_LIST]
        if waiting is not None:
            unlink(waiting, process)
            process.fields[MY_LIST] = None
        elif self.is_ready(process):
            self._remove(process)
        return waiting

    def abandon(self, process: Pointers) -> None:
        """End a process without unwinding; the active one continues when its turn comes."""
        if self.active is not process:
            self.step_aside()
        self.active = None
        self.suspend(process)
        process.fields[SUSPENDED_CONTEXT] = None

    def lose_active(self) -> None:
        """End the active process without unwinding, and run the next one."""
        process = self.active
        assert process is not None  # noqa: S101
        self.abandon(process)
        if process is self.evaluated:
            raise EvaluationLost("the evaluation ran out of memory and did not stop at OutOfMemory")
        self.switch()

    def is_ready(self, process: Pointers) -> bool:
        """Whether the process waits only for its turn."""
        return process in self.ready[process.fields[PRIORITY]]

    def is_suspended(self, process: Pointers) -> bool:
        """Whether the process can only run if it is resumed: it has not ended and is in no list."""
        fields = process.fields
        return (
            fields[SUSPENDED_CONTEXT] is not None and fields[MY_LIST] is None and not self.is_ready(process)
        )

    def set_priority(self, process: Pointers, priority: int) -> bool:
        """Change a priority; returns whether another process has preempted the active one."""
        if process is not self.active and self.is_ready(process):
            self._remove(process)
            process.fields[PRIORITY] = priority
            self.make_ready(process)
        else:
            process.fields[PRIORITY] = priority
        return self.preempt()

    def _end(self, _context: Context, _pc: int) -> int:
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
        unlink(semaphore, process)
        self.make_ready(process)

    def wait(self, semaphore: Pointers) -> bool:
        """Take a signal, or park the active process until there is one; returns whether it has to wait."""
        if semaphore.fields[EXCESS_SIGNALS] > 0:
            semaphore.fields[EXCESS_SIGNALS] -= 1
            return False
        assert self.active is not None  # noqa: S101
        self.active.fields[MY_LIST] = semaphore
        append(semaphore, self.active)
        self.park()
        self.switch()
        return True

    def wait_until(self, semaphore: Pointers, seconds: float, delay: Pointers) -> bool:
        """Wait as ``wait`` does, until ``seconds`` at most; then the process gets true for its answer.

        ``delay`` owns the timer. Nothing runs between testing the semaphore and setting the timer.
        """
        process, context = self.active, self.vm.active
        assert process is not None  # noqa: S101
        if not self.wait(semaphore):
            return False

        def expire() -> None:
            if process.fields[MY_LIST] is semaphore:
                unlink(semaphore, process)
                self.make_ready(process)
                context.frame[-1] = True

        self.timers_and_io.call_at(seconds, delay, expire)
        return True

    def look(self) -> None:
        """Use up a turn, and signal the semaphores of timers and descriptors that are due."""
        self._use_up(1)
        if not self.timers_and_io.is_quiet:
            self.timers_and_io.look(0)

    def end_turn(self) -> None:
        """Stop the machine if ``is_done``, else give way to a process of higher priority.

        Raises:
            Finished: If ``is_done`` answers true.
        """
        if self.is_done is not None and self.is_done():
            raise Finished(None)
        self.preempt()

    def _use_up(self, turns: int) -> None:
        if self.turns is not None:
            self.turns -= turns
            if self.turns < 0:
                raise OutOfTurns("the evaluation used up its budget")

    def _wait(self, context: Context, _pc: int) -> int:
        """Idle until some process can run."""
        context.pc = 1
        if self.timers_and_io.is_quiet:
            raise NothingToRun("no process can run, and nothing will wake one")
        begun = time.monotonic()
        self.timers_and_io.look(self._longest_look())
        self._use_up(int((time.monotonic() - begun) * TURNS_PER_SECOND))
        self.end_turn()
        return 0

    def _longest_look(self) -> float:
        """Seconds that the machine may idle now."""
        if self.turns is None:
            return self.timers_and_io.next_look
        return min(self.timers_and_io.next_look, (self.turns + 1) / TURNS_PER_SECOND)


def ending(operation: object) -> Context:
    """A context whose only operation is the given one, over and over."""
    code = Code(0)
    code.code = [operation, operation]  # type: ignore[list-item]
    method = CompiledMethod("", "", None)  # type: ignore[arg-type]
    method.code = code.code
    return new_context(DEAD, method, None, [])
