"""Superinstructions: several instructions in one operation, for integers and other frequent cases."""

from __future__ import annotations

from collections.abc import Callable

from pharo_practice.compiling.instructions import Instruction
from pharo_practice.machine.machine import Machine
from pharo_practice.model.arithmetic import ARITHMETIC, DIVISIONS, HUGE
from pharo_practice.model.behavior import NO_SUPERINSTRUCTIONS, Operation, Value
from pharo_practice.model.code import DEAD, Context
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


def fuse(vm: Machine, instructions: list[Instruction], code: list[Operation]) -> dict[int, Operation]:
    """Replace the first operation of each sequence that has a superinstruction; return what they were."""
    single: dict[int, Operation] = {}
    names = [instruction[0] for instruction in instructions]
    for position in range(len(names), 0, -1):
        maker = MAKERS.get(names[position - 1])
        if maker is not None:
            fused = maker(vm, instructions, position, code)
            if fused is not None:
                single[position], code[position] = code[position], fused
    return single or NO_SUPERINSTRUCTIONS


def _instruction(instructions: list[Instruction], position: int) -> Instruction:
    return instructions[position - 1] if position <= len(instructions) else ("",)


def _after_temporary(
    vm: Machine, instructions: list[Instruction], position: int, code: list[Operation]
) -> Operation | None:
    """``temporary op constant`` and ``temporary op temporary``, with the jump or store behind it."""
    second, third = _instruction(instructions, position + 1), _instruction(instructions, position + 2)
    if third[0] == "send" and third[1] in ARITHMETIC and third[1] not in vm.redefined:
        index, compute = instructions[position - 1][1], ARITHMETIC[str(third[1])]
        assert isinstance(index, int)  # noqa: S101
        fourth, plain = _instruction(instructions, position + 3), code[position]
        if second[0] == "constant" and type(second[1]) is int:
            return _with_constant(index, second[1], compute, fourth, position, plain)
        if second[0] == "temporary" and isinstance(second[1], int):
            return _with_temporary(index, second[1], compute, fourth, position, plain)
    if second[0] == "return":
        return _return_temporary(vm, instructions[position - 1][1])
    return None


def _with_constant(
    index: int,
    constant: int,
    compute: Callable[[int, int], Value],
    then: Instruction,
    position: int,
    plain: Operation,
) -> Operation:
    following = position + 3
    after = following + 1
    if then[0] == "jump_false":
        target = then[1]

        def branch(context: Context) -> int:
            value = context.frame[index]
            if type(value) is int:
                return after if compute(value, constant) else target
            return plain(context)

        return branch
    if then[0] == "store_temporary":
        destination = then[1]

        def store(context: Context) -> int:
            frame = context.frame
            value = frame[index]
            if type(value) is int:
                frame[destination] = compute(value, constant)
                return after
            return plain(context)

        return store

    def push(context: Context) -> int:
        frame = context.frame
        value = frame[index]
        if type(value) is int:
            frame.append(compute(value, constant))
            return following
        return plain(context)

    return push


def _with_temporary(
    index: int,
    other: int,
    compute: Callable[[int, int], Value],
    then: Instruction,
    position: int,
    plain: Operation,
) -> Operation:
    following = position + 3
    after = following + 1
    if then[0] == "jump_false":
        target = then[1]

        def branch(context: Context) -> int:
            frame = context.frame
            value, argument = frame[index], frame[other]
            if type(value) is int and type(argument) is int:
                return after if compute(value, argument) else target
            return plain(context)

        return branch

    def push(context: Context) -> int:
        frame = context.frame
        value, argument = frame[index], frame[other]
        if type(value) is int and type(argument) is int:
            frame.append(compute(value, argument))
            return following
        return plain(context)

    return push


def _return_temporary(vm: Machine, index: int) -> Operation:
    def operation(context: Context) -> int:
        sender = context.sender
        context.sender = DEAD
        sender.frame.append(context.frame[index])
        vm.active = sender
        return 0

    return operation


MAKERS: dict[object, Callable[[Machine, list[Instruction], int, list[Operation]], Operation | None]] = {}
MAKERS["temporary"] = _after_temporary
