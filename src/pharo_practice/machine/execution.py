"""Running methods from Python, each in a process of its own."""

from __future__ import annotations

from collections.abc import Callable

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.scheduler import PRIORITY, SUSPENDED_CONTEXT, Finished, ending
from pharo_practice.model.objects import (
    Behavior,
    CompiledMethod,
    Context,
    Pointers,
    Value,
    class_of,
    new_context,
)

USER_PRIORITY = 40


def send_to_class(vm: Machine, behavior: Behavior, selector: str) -> Value:
    """Send a unary message to a class, in a process of its own."""
    method = vm.lookup(behavior.cls, selector)
    assert method is not None  # noqa: S101
    return run_method(vm, method, behavior, [])


def run_method(
    vm: Machine,
    method: CompiledMethod,
    receiver: Value,
    arguments: list[Value],
    *,
    turns: int | None = None,
) -> Value:
    """Run a method to its end in a process of its own; other processes run while it waits."""
    scheduler = vm.scheduler
    process = new_process(vm, new_context(ending(_finish), method, receiver, arguments))
    scheduler.turns = turns
    scheduler.evaluated, outer = process, scheduler.evaluated
    scheduler.active = None
    scheduler.make_ready(process)
    scheduler.switch()
    try:
        vm.run()
    except Finished as finished:
        return finished.value
    except BaseException:
        scheduler.active = None  # what ended or overran the evaluation must not run in the next one
        raise
    finally:
        scheduler.turns = None
        scheduler.evaluated = outer
        scheduler.abandon(process)


def new_process(vm: Machine, context: Context, cls: Behavior | None = None) -> Pointers:
    """A Process, or an instance of a class below it, about to run ``context``."""
    cls = cls or vm.classes["Process"]
    cls.is_instantiated = True
    process = Pointers(cls, [None] * cls.instance_size)
    process.fields[SUSPENDED_CONTEXT] = context
    process.fields[PRIORITY] = USER_PRIORITY
    return process


def _finish(context: Context, _pc: int) -> int:
    raise Finished(context.frame.pop())


def display_string(vm: Machine, value: Value) -> str:
    """The ``displayString`` of a value, on one line and in valid Unicode."""
    method = vm.lookup(class_of(value), "displayString")
    assert method is not None  # noqa: S101
    text = vm.valid_text(run_method(vm, method, value, []))
    return " ".join(text.splitlines())


def run_until(vm: Machine, is_done: Callable[[], bool]) -> None:
    """Run every process until ``is_done`` returns true; it is called at each poll."""
    vm.scheduler.is_done = is_done
    vm.scheduler.switch()
    try:
        vm.run()
    except Finished:
        vm.scheduler.step_aside()
    finally:
        vm.scheduler.is_done = None
