"""Instructions into threaded operations: one closure each, shared by methods.

An operation takes the active context and returns the next program counter. 0 means "look at the active
context again", so the first one has the index 1. Those that send are in ``sends``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TypeAlias

from pharo_practice.machine.machine import Machine
from pharo_practice.model.objects import (
    CONSTANT_CLOSURES,
    DEAD,
    BlockClosure,
    Code,
    CompiledBlock,
    CompiledMethod,
    Context,
    Operation,
    Pointers,
    Value,
)

Instruction: TypeAlias = tuple[Value, ...]
"""What makes an operation, one of the functions here or in ``sends``, and its operands."""

DOIT = "DoIt"
"""The selector of expressions."""


@dataclass(eq=False)
class Label:
    """A position in the code; its position is set when code generation reaches it."""

    position: int = 0


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


def push_self(_vm: Machine, following: int) -> Operation:
    """Push the receiver."""

    def operation(context: Context) -> int:
        context.frame.append(context.receiver)
        return following

    return operation


def push_constant(_vm: Machine, following: int, value: Value) -> Operation:
    """Push a literal."""

    def operation(context: Context) -> int:
        context.frame.append(value)
        return following

    return operation


def push_temporary(_vm: Machine, following: int, index: int) -> Operation:
    """Push an argument or temporary of this frame."""

    def operation(context: Context) -> int:
        frame = context.frame
        frame.append(frame[index])
        return following

    return operation


def push_outer(_vm: Machine, following: int, distance: int, index: int) -> Operation:
    """Push a variable of the frame ``distance`` closures further out."""
    closures = range(distance)

    def operation(context: Context) -> int:
        outer = context
        for _ in closures:
            outer = outer.closure.outer  # type: ignore[union-attr]
        context.frame.append(outer.frame[index])
        return following

    return operation


def push_slot(_vm: Machine, following: int, index: int) -> Operation:
    """Push an instance variable."""

    def operation(context: Context) -> int:
        context.frame.append(context.receiver.fields[index])
        return following

    return operation


def push_shared(_vm: Machine, following: int, binding: Pointers) -> Operation:
    """Push the value of a binding."""

    def operation(context: Context) -> int:
        context.frame.append(binding.fields[1])
        return following

    return operation


def push_context(_vm: Machine, following: int) -> Operation:
    """Push the active context."""

    def operation(context: Context) -> int:
        context.frame.append(context)
        return following

    return operation


def push_process(vm: Machine, following: int) -> Operation:
    """Push the active process."""

    def operation(context: Context) -> int:
        scheduler = vm.scheduler
        context.frame.append(scheduler.effective if scheduler.is_stepping else scheduler.active)
        return following

    return operation


def push_undeclared(vm: Machine, following: int, name: str) -> Operation:
    """Push a global that was undefined when the method was compiled, or signal that it still is."""

    def operation(context: Context) -> int:
        binding = vm.globals.get(name)
        if binding is None:
            context.pc = following
            return vm.signal_undeclared(context, name, "undeclaredVariableRead:")
        context.frame.append(binding.fields[1])
        return following

    return operation


def push_closure(_vm: Machine, following: int, body: CompiledBlock) -> Operation:
    """Push a new closure over this context."""
    kind = CONSTANT_CLOSURES[body.num_args] if body.is_constant else BlockClosure

    def operation(context: Context) -> int:
        closure = kind()
        closure.body = body
        closure.outer = context
        closure.receiver = context.receiver
        context.frame.append(closure)
        return following

    return operation


def push_array(vm: Machine, following: int, size: int) -> Operation:
    """Collect the topmost values in a new array."""

    def operation(context: Context) -> int:
        frame = context.frame
        values = frame[-size:] if size else []
        if size:
            del frame[-size:]
        frame.append(vm.array(values))
        return following

    return operation


def duplicate(_vm: Machine, following: int) -> Operation:
    """Push the topmost value again."""

    def operation(context: Context) -> int:
        frame = context.frame
        frame.append(frame[-1])
        return following

    return operation


def pop(_vm: Machine, following: int) -> Operation:
    """Drop the topmost value."""

    def operation(context: Context) -> int:
        context.frame.pop()
        return following

    return operation


def store_temporary(_vm: Machine, following: int, index: int) -> Operation:
    """Pop into a temporary of this frame."""

    def operation(context: Context) -> int:
        frame = context.frame
        frame[index] = frame.pop()
        return following

    return operation


def store_outer(_vm: Machine, following: int, distance: int, index: int) -> Operation:
    """Pop into a variable of the frame ``distance`` closures further out."""
    closures = range(distance)

    def operation(context: Context) -> int:
        outer = context
        for _ in closures:
            outer = outer.closure.outer  # type: ignore[union-attr]
        outer.frame[index] = context.frame.pop()
        return following

    return operation


def store_slot(vm: Machine, following: int, index: int) -> Operation:
    """Pop into an instance variable; a read-only receiver gets ``attemptToAssign:withIndex:``."""

    def operation(context: Context) -> int:
        value = context.frame.pop()
        try:
            context.receiver.fields[index] = value
        except TypeError:
            context.pc = following
            return vm.send(context, context.receiver, "attemptToAssign:withIndex:", [value, index + 1])
        return following

    return operation


def store_shared(_vm: Machine, following: int, binding: Pointers) -> Operation:
    """Pop into a binding."""

    def operation(context: Context) -> int:
        binding.fields[1] = context.frame.pop()
        return following

    return operation


def store_undeclared(vm: Machine, following: int, name: str) -> Operation:
    """Pop into a global that was undefined when the method was compiled, or signal that it still is."""

    def operation(context: Context) -> int:
        value = context.frame.pop()
        binding = vm.globals.get(name)
        if binding is None:
            context.pc = following
            context.frame.append(value)
            return vm.signal_undeclared(context, name, "undeclaredVariableWrite:")
        binding.fields[1] = value
        return following

    return operation


UNSHARED = frozenset({push_constant, push_shared, store_shared, push_closure})
"""What methods cannot share: operands that are equal without being the same."""


def assemble(vm: Machine, instructions: list[Instruction], method: CompiledMethod, body: Code) -> None:
    """Give the method, or a block in it, its operations, indexed by program counter."""
    body.code = [_nowhere, *_operations(vm, method, instructions)]


def _operations(vm: Machine, method: CompiledMethod, instructions: list[Instruction]) -> Iterator[Operation]:
    """The operations of instructions; methods share those whose operands are numbers and selectors."""
    is_shared = method.selector != DOIT
    for following, instruction in enumerate(instructions, start=2):
        make, *operands = instruction
        if is_shared and make not in UNSHARED:
            key = (following, instruction)
            yield vm.operations.get(key) or vm.share(key, make(vm, following, *operands))
        else:
            yield make(vm, following, *operands)


def _nowhere(context: Context) -> int:
    raise AssertionError(context)
