"""Sends that compute with integers by themselves, and send a message to other receivers only."""

from __future__ import annotations

from collections.abc import Callable

from pharo_practice.machine.machine import Machine
from pharo_practice.model.arithmetic import ARITHMETIC, DIVISIONS, HUGE
from pharo_practice.model.behavior import Operation, Value
from pharo_practice.model.code import Context
from pharo_practice.model.objects import identical


def arithmetic_send(vm: Machine, following: int, selector: str, plain: Operation) -> Operation | None:
    """A send that computes with integers by itself; None for other selectors."""
    if selector == "==":
        return _identity(following)
    if selector in vm.redefined:
        return None
    if selector == "*":
        return _multiplication(following, plain)
    if selector in DIVISIONS:
        return _division(following, DIVISIONS[selector], plain)
    if selector not in ARITHMETIC:
        return None
    compute = ARITHMETIC[selector]

    def operation(context: Context) -> int:
        frame = context.frame
        if type(frame[-1]) is int and type(frame[-2]) is int:
            argument = frame.pop()
            frame[-1] = compute(frame[-1], argument)
            return following
        return plain(context)

    return operation


def _identity(following: int) -> Operation:
    def operation(context: Context) -> int:
        frame = context.frame
        argument = frame.pop()
        frame[-1] = identical(frame[-1], argument)
        return following

    return operation


def _multiplication(following: int, plain: Operation) -> Operation:
    """Up to a size; the primitive decides what is too large."""

    def operation(context: Context) -> int:
        frame = context.frame
        argument, receiver = frame[-1], frame[-2]
        if (
            type(argument) is int
            and type(receiver) is int
            and -HUGE < receiver < HUGE
            and -HUGE < argument < HUGE
        ):
            frame.pop()
            frame[-1] = receiver * argument
            return following
        return plain(context)

    return operation


def _division(following: int, compute: Callable[[int, int], Value], plain: Operation) -> Operation:
    def operation(context: Context) -> int:
        frame = context.frame
        if type(frame[-1]) is int and type(frame[-2]) is int and frame[-1] != 0:
            argument = frame.pop()
            frame[-1] = compute(frame[-1], argument)
            return following
        return plain(context)

    return operation
