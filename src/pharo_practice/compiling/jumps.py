"""Jumps, and returns to the sender or from the home of a closure."""

from __future__ import annotations

from pharo_practice.machine.machine import Machine
from pharo_practice.model.behavior import Operation
from pharo_practice.model.code import DEAD, Context


def jump(_vm: Machine, _following: int, target: int) -> Operation:
    """Jump forward."""

    def operation(_context: Context) -> int:
        return target

    return operation


def loop(_vm: Machine, _following: int, target: int) -> Operation:
    """Jump backward by way of the machine's loop, which may run another process."""

    def operation(context: Context) -> int:
        context.pc = target
        return 0

    return operation


def jump_true(vm: Machine, following: int, target: int) -> Operation:
    """Pop a boolean and jump if it is true."""
    return _branch(vm, following, if_true=target, if_false=following)


def jump_false(vm: Machine, following: int, target: int) -> Operation:
    """Pop a boolean and jump if it is false."""
    return _branch(vm, following, if_true=following, if_false=target)


def _branch(vm: Machine, following: int, *, if_true: int, if_false: int) -> Operation:
    def operation(context: Context) -> int:
        value = context.frame.pop()
        if value is True:
            return if_true
        if value is False:
            return if_false
        return vm.signal_not_boolean(context, value, following)

    return operation


def jump_not_nil(_vm: Machine, following: int, target: int) -> Operation:
    """Pop a value and jump if it is not nil."""

    def operation(context: Context) -> int:
        return following if context.frame.pop() is None else target

    return operation


def return_top(vm: Machine, _following: int) -> Operation:
    """Return the topmost value to the sender."""

    def operation(context: Context) -> int:
        sender = context.sender
        context.sender = DEAD
        sender.frame.append(context.frame.pop())
        vm.active = sender
        return 0

    return operation


def return_self(vm: Machine, _following: int) -> Operation:
    """Return the receiver to the sender."""

    def operation(context: Context) -> int:
        sender = context.sender
        context.sender = DEAD
        sender.frame.append(context.receiver)
        vm.active = sender
        return 0

    return operation


def return_home(vm: Machine, following: int) -> Operation:
    """Return the topmost value from the method this closure is written in, unwinding what lies between."""

    def operation(context: Context) -> int:
        context.pc = following
        return vm.return_through(context, context.home, context.frame.pop())

    return operation
