"""Processes, semaphores, timers and watched descriptors.

The machine runs one process; the others that could run wait in a queue for each priority. A process of
higher priority takes over at once; the one it takes over from goes to the back of its queue, as in Pharo.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from pharo_standin.code import DEAD, Code, CompiledMethod, Context, new_context
from pharo_standin.limits import check_limits
from pharo_standin.links import FIRST_LINK, append, unlink
from pharo_standin.objects import Pointers, Value
from pharo_standin.outside import Outside
from pharo_standin.primitive import SWITCH

if TYPE_CHECKING:
    from pharo_standin.machine import Machine

# the fields of a Process and a Semaphore that are used here
SUSPENDED_CONTEXT, PRIORITY, MY_LIST = 1, 2, 3
EXCESS_SIGNALS = 2
HIGHEST = 80
POLLS_BETWEEN_CHECKS = 16
TURNS_PER_SECOND = 1_000
"""What idling costs an evaluation that may use only so many turns."""


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
        self.outside = Outside(self.signal)
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

    def step_aside(self) -> None:
        """Let nobody be active; who was goes on first, since it may hold what others wait for."""
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
            unlink(waiting, process)
            process.fields[MY_LIST] = None
        else:
            queue = self.ready[process.fields[PRIORITY]]
            if process in queue:
                queue.remove(process)
        return waiting

    def abandon(self, process: Pointers) -> None:
        """Let a process never run again; what was active goes on when its turn comes."""
        if self.active is not process:
            self.step_aside()
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
        unlink(semaphore, process)
        self.make_ready(process)

    def wait(self, semaphore: Pointers) -> bool:
        """Take a signal, or park the active process until there is one; answers whether it has to wait."""
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
        """Wait as ``wait`` does, but not beyond ``seconds``; then true replaces what the process was left.

        ``delay`` owns the timer. Nothing comes between looking at the semaphore and setting the timer.
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

        self.outside.call_at(seconds, delay, expire)
        return True

    def poll(self) -> None:
        """Look at clocks, descriptors and limits, between two quanta of work."""
        self._use_up(1)
        if not self.outside.is_quiet:
            self.outside.look(0)
        self.polls += 1
        if self.polls % POLLS_BETWEEN_CHECKS == 0:
            check_limits(self.vm)
        self._finish_if_done()
        self.preempt()

    def _use_up(self, turns: int) -> None:
        if self.turns is not None:
            self.turns -= turns
            if self.turns < 0:
                raise OutOfTurns("the evaluation used up its budget")

    def _finish_if_done(self) -> None:
        if self.is_done is not None and self.is_done():
            raise Finished(None)

    def _wait(self, context: Context) -> int:
        """Idle until some process can run."""
        context.pc = 1
        if self.outside.is_quiet:
            raise NothingToRun("no process can run, and nothing will wake one")
        begun = time.monotonic()
        self.outside.look(self._longest_look())
        self._use_up(int((time.monotonic() - begun) * TURNS_PER_SECOND))
        self._finish_if_done()
        self.preempt()
        return 0

    def _longest_look(self) -> float:
        """Seconds that the machine may idle now."""
        if self.turns is None:
            return self.outside.next_look
        return min(self.outside.next_look, (self.turns + 1) / TURNS_PER_SECOND)


def _ending(operation: object) -> Context:
    """A context whose only operation is the given one, over and over."""
    code = Code(0)
    code.code = [operation, operation]  # type: ignore[list-item]
    method = CompiledMethod("", "", None)  # type: ignore[arg-type]
    method.code = code.code
    return new_context(DEAD, method, None, [])
