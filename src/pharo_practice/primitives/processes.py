"""Primitives of processes, semaphores and timers."""

from __future__ import annotations

import sys
import time

from pharo_practice.machine.execution import new_process
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PRIMITIVES, SWITCH, Primitive, PrimitiveFailed, primitive
from pharo_practice.machine.scheduler import EXCESS_SIGNALS, HIGHEST, MY_LIST, PRIORITY, SUSPENDED_CONTEXT
from pharo_practice.model.object_memory import is_read_only
from pharo_practice.model.objects import DEAD, Behavior, Context, Pointers, Value

LONGEST_DELAY = 1_000_000_000
"""Seconds."""


def is_semaphore(value: Value) -> bool:
    """Whether an object can be signalled like a semaphore; checked now if it is signalled later."""
    return (
        type(value) is Pointers
        and len(value.fields) > EXCESS_SIGNALS
        and type(value.fields[EXCESS_SIGNALS]) is int
        and not is_read_only(value)
    )


def _answer(vm: Machine, result: Value) -> Context:
    """Push the result for the active context, which continues with it."""
    context = vm.active
    context.frame.append(result)
    return context


@primitive("activeProcess")
def _active_process(vm: Machine, _receiver: Value) -> Value:
    """The active process, or the one on whose behalf it evaluates something."""
    return vm.scheduler.effective


PROCESS: dict[str, Primitive] = {
    "realActiveProcess": lambda vm, _process: vm.scheduler.active,
    "processIsSuspended": lambda vm, process: vm.scheduler.is_suspended(process),
    "processSuspendedContext": lambda vm, process: (
        vm.active if process is vm.scheduler.active else process.fields[SUSPENDED_CONTEXT]
    ),
}
"""What is asked about a process."""

PRIMITIVES.update(PROCESS)


@primitive("processForContext")
def _process_for_context(vm: Machine, receiver: Behavior, context: Context, priority: int) -> Pointers:
    process = new_process(vm, context, receiver)
    process.fields[PRIORITY] = priority
    return process


@primitive("processResume")
def _process_resume(vm: Machine, receiver: Pointers) -> Value:
    scheduler, suspended = vm.scheduler, receiver.fields[SUSPENDED_CONTEXT]
    if not isinstance(suspended, Context) or suspended.sender is DEAD or receiver.fields[MY_LIST] is not None:
        raise PrimitiveFailed
    if scheduler.is_ready(receiver):
        return receiver
    context = _answer(vm, receiver)
    scheduler.make_ready(receiver)
    if scheduler.preempt():
        return SWITCH
    return context.frame.pop()


@primitive("processSuspend")
def _process_suspend(vm: Machine, receiver: Pointers) -> Value:
    if vm.scheduler.is_stepping:  # a process that is stepped is suspended; Pharo suspends no other one then
        return receiver
    if receiver is vm.scheduler.active:
        _answer(vm, None)
    return vm.scheduler.suspend(receiver)


@primitive("processEnd")
def _process_end(vm: Machine, receiver: Pointers) -> Value:
    """End the active process; one that is stepped is left with a context that cannot go on."""
    if vm.scheduler.is_stepping:
        vm.active.sender = DEAD
        return SWITCH
    vm.scheduler.park()
    receiver.fields[SUSPENDED_CONTEXT] = None
    vm.scheduler.switch()
    return SWITCH


@primitive("processSetPriority")
def _process_set_priority(vm: Machine, receiver: Pointers, priority: Value) -> Value:
    if type(priority) is not int or not 1 <= priority <= HIGHEST:
        raise PrimitiveFailed
    context = _answer(vm, receiver)
    if vm.scheduler.set_priority(receiver, priority):
        return SWITCH
    return context.frame.pop()


@primitive("processYield")
def _process_yield(vm: Machine, receiver: Value) -> Value:
    context = _answer(vm, receiver)
    return SWITCH if vm.scheduler.yield_turn() else context.frame.pop()


@primitive("readyProcesses")
def _ready_processes(vm: Machine, _receiver: Value, priority: int) -> Pointers:
    if not 1 <= priority <= HIGHEST:
        raise PrimitiveFailed
    return vm.array(list(vm.scheduler.ready[priority]))


@primitive("preemptedProcess")
def _preempted_process(vm: Machine, _receiver: Value) -> Value:
    """The process that ran before the active one preempted it: it went to the back of its queue."""
    return next(
        (queue[-1] for queue in reversed(vm.scheduler.ready[: vm.scheduler.priority + 1]) if queue), None
    )


@primitive("semaphoreSignal")
def _semaphore_signal(vm: Machine, receiver: Pointers) -> Value:
    vm.scheduler.signal(receiver)
    context = _answer(vm, receiver)
    return SWITCH if vm.scheduler.preempt() else context.frame.pop()


@primitive("processGoBack")
def _process_go_back(vm: Machine, receiver: Pointers, context: Context, semaphore: Value) -> Value:
    """Let the active process continue in a context it was in before, waiting again if it waited there."""
    vm.active = context
    if semaphore is not None:
        vm.scheduler.wait(semaphore)
    return SWITCH


@primitive("semaphoreWait")
def _semaphore_wait(vm: Machine, receiver: Pointers) -> Value:
    signals = receiver.fields[EXCESS_SIGNALS]
    if signals > 0:
        receiver.fields[EXCESS_SIGNALS] = signals - 1
        return receiver
    context = _answer(vm, receiver)
    return SWITCH if vm.scheduler.wait(receiver) else context.frame.pop()


@primitive("delayWait")
def _delay_wait(vm: Machine, receiver: Pointers, semaphore: Pointers, milliseconds: Value) -> Value:
    """Wait for a semaphore and answer whether the time ran out first."""
    if not is_semaphore(semaphore):
        raise PrimitiveFailed
    due = _due(milliseconds, 1_000)
    context = _answer(vm, False)
    return SWITCH if vm.scheduler.wait_until(semaphore, due, receiver) else context.frame.pop()


def _due(duration: Value, per_second: int) -> float:
    """The time when a duration from now ends, in seconds; durations longer than any process lives are cut."""
    seconds: float = min(duration, LONGEST_DELAY * per_second) / per_second
    return time.monotonic() + seconds


@primitive("signalAfterMicroseconds")
def _signal_after(vm: Machine, _receiver: Value, semaphore: Pointers, microseconds: Value) -> Value:
    if not is_semaphore(semaphore):
        raise PrimitiveFailed
    vm.timers_and_io.signal_at(semaphore, _due(microseconds, 1_000_000))
    return semaphore


@primitive("cancelTimer")
def _cancel_timer(vm: Machine, _receiver: Value, semaphore: Pointers) -> Value:
    vm.timers_and_io.cancel_timer(semaphore)
    return semaphore


@primitive("writeError")
def _write_error(vm: Machine, receiver: Value, text: Value) -> Value:
    sys.stderr.write(vm.valid_text(text) + "\n")
    sys.stderr.flush()
    return receiver
