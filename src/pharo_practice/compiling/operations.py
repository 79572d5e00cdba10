"""Instructions into threaded operations: functions of the active context, whose operands are bound to them.

An operation takes the active context and returns the next program counter. 0 means "look at the active
context again", so the first one has the index 1. ``following`` is the index of the operation behind it. Those
that send are in ``sends``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from types import FunctionType
from typing import TypeAlias

from pharo_practice.machine.machine import Machine
from pharo_practice.model.objects import (
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
"""The function of an operation, one of those here or in ``sends``, and its operands."""

DOIT = "DoIt"
"""The selector of expressions."""


@dataclass(eq=False)
class Label:
    """A position in the code; its position is set when code generation reaches it."""

    position: int = 0


# jumps


def jump(_context: Context, _vm: Machine, _following: int, target: int) -> int:
    """Jump forward."""
    return target


def loop(context: Context, _vm: Machine, _following: int, target: int) -> int:
    """Jump backward by way of the machine's loop, which may run another process."""
    context.pc = target
    return 0


def jump_true(context: Context, vm: Machine, following: int, target: int) -> int:
    """Pop a boolean and jump if it is true."""
    value = context.frame.pop()
    if value is True:
        return target
    if value is False:
        return following
    return vm.signal_not_boolean(context, value, following)


def jump_false(context: Context, vm: Machine, following: int, target: int) -> int:
    """Pop a boolean and jump if it is false."""
    value = context.frame.pop()
    if value is True:
        return following
    if value is False:
        return target
    return vm.signal_not_boolean(context, value, following)


def jump_not_nil(context: Context, _vm: Machine, following: int, target: int) -> int:
    """Pop a value and jump if it is not nil."""
    return following if context.frame.pop() is None else target


JUMPS = frozenset({jump, loop, jump_true, jump_false, jump_not_nil})
"""Those whose operand is a label."""


# returns


def return_top(context: Context, vm: Machine, _following: int) -> int:
    """Return the topmost value to the sender."""
    sender = context.sender
    context.sender = DEAD
    sender.frame.append(context.frame.pop())
    vm.active = sender
    return 0


def return_self(context: Context, vm: Machine, _following: int) -> int:
    """Return the receiver to the sender."""
    sender = context.sender
    context.sender = DEAD
    sender.frame.append(context.receiver)
    vm.active = sender
    return 0


def return_home(context: Context, vm: Machine, following: int) -> int:
    """Return the topmost value from the method this closure is written in, unwinding what lies between."""
    context.pc = following
    return vm.return_through(context, context.home, context.frame.pop())


# pushing


def push_self(context: Context, _vm: Machine, following: int) -> int:
    """Push the receiver."""
    context.frame.append(context.receiver)
    return following


def push_constant(context: Context, _vm: Machine, following: int, value: Value) -> int:
    """Push a literal."""
    context.frame.append(value)
    return following


def push_temporary(context: Context, _vm: Machine, following: int, index: int) -> int:
    """Push an argument or temporary of this frame."""
    frame = context.frame
    frame.append(frame[index])
    return following


def push_outer(context: Context, _vm: Machine, following: int, closures: range, index: int) -> int:
    """Push a variable of the frame as many closures further out."""
    outer = context
    for _ in closures:
        outer = outer.closure.outer  # type: ignore[union-attr]
    context.frame.append(outer.frame[index])
    return following


def push_slot(context: Context, _vm: Machine, following: int, index: int) -> int:
    """Push an instance variable."""
    context.frame.append(context.receiver.fields[index])
    return following


def push_shared(context: Context, _vm: Machine, following: int, binding: Pointers) -> int:
    """Push the value of a binding."""
    context.frame.append(binding.fields[1])
    return following


def push_context(context: Context, _vm: Machine, following: int) -> int:
    """Push the active context."""
    context.frame.append(context)
    return following


def push_process(context: Context, vm: Machine, following: int) -> int:
    """Push the active process."""
    scheduler = vm.scheduler
    context.frame.append(scheduler.effective if scheduler.is_stepping else scheduler.active)
    return following


def push_undeclared(context: Context, vm: Machine, following: int, name: str) -> int:
    """Push a global that was undefined when the method was compiled, or signal that it still is."""
    binding = vm.globals.get(name)
    if binding is None:
        context.pc = following
        return vm.signal_undeclared(context, name, "undeclaredVariableRead:")
    context.frame.append(binding.fields[1])
    return following


def push_closure(
    context: Context, _vm: Machine, following: int, body: CompiledBlock, kind: type[BlockClosure]
) -> int:
    """Push a new closure over this context."""
    closure = kind()
    closure.body = body
    closure.outer = context
    closure.receiver = context.receiver
    context.frame.append(closure)
    return following


def push_array(context: Context, vm: Machine, following: int, size: int) -> int:
    """Collect the topmost values in a new array."""
    frame = context.frame
    values = frame[-size:] if size else []
    if size:
        del frame[-size:]
    frame.append(vm.array(values))
    return following


def duplicate(context: Context, _vm: Machine, following: int) -> int:
    """Push the topmost value again."""
    frame = context.frame
    frame.append(frame[-1])
    return following


# popping


def pop(context: Context, _vm: Machine, following: int) -> int:
    """Drop the topmost value."""
    context.frame.pop()
    return following


def store_temporary(context: Context, _vm: Machine, following: int, index: int) -> int:
    """Pop into a temporary of this frame."""
    frame = context.frame
    frame[index] = frame.pop()
    return following


def store_outer(context: Context, _vm: Machine, following: int, closures: range, index: int) -> int:
    """Pop into a variable of the frame as many closures further out."""
    outer = context
    for _ in closures:
        outer = outer.closure.outer  # type: ignore[union-attr]
    outer.frame[index] = context.frame.pop()
    return following


def store_slot(context: Context, vm: Machine, following: int, index: int) -> int:
    """Pop into an instance variable; a read-only receiver gets ``attemptToAssign:withIndex:``."""
    value = context.frame.pop()
    try:
        context.receiver.fields[index] = value
    except TypeError:
        context.pc = following
        return vm.send(context, context.receiver, "attemptToAssign:withIndex:", [value, index + 1])
    return following


def store_shared(context: Context, _vm: Machine, following: int, binding: Pointers) -> int:
    """Pop into a binding."""
    binding.fields[1] = context.frame.pop()
    return following


def store_undeclared(context: Context, vm: Machine, following: int, name: str) -> int:
    """Pop into a global that was undefined when the method was compiled, or signal that it still is."""
    value = context.frame.pop()
    binding = vm.globals.get(name)
    if binding is None:
        context.pc = following
        context.frame.append(value)
        return vm.signal_undeclared(context, name, "undeclaredVariableWrite:")
    binding.fields[1] = value
    return following


UNSHARED = frozenset({push_constant, push_shared, store_shared, push_closure})
"""What methods cannot share: operands that are equal without being the same."""


def assemble(vm: Machine, instructions: list[Instruction], method: CompiledMethod, body: Code) -> None:
    """Give the method, or a block in it, its operations, indexed by program counter."""
    body.code = [_nowhere, *_operations(vm, method, instructions)]


def _operations(vm: Machine, method: CompiledMethod, instructions: list[Instruction]) -> Iterator[Operation]:
    """The operations of instructions; methods share those whose operands are numbers and selectors."""
    is_shared = method.selector != DOIT
    for following, instruction in enumerate(instructions, start=2):
        if is_shared and instruction[0] not in UNSHARED:
            key = (following, instruction)
            yield vm.operations.get(key) or vm.share(key, _bound(vm, following, *instruction))
        else:
            yield _bound(vm, following, *instruction)


def _bound(vm: Machine, following: int, function: FunctionType, *operands: Value) -> Operation:
    """The function with its operands as defaults: called with a context alone, it is fast and small."""
    return FunctionType(
        function.__code__, function.__globals__, function.__name__, (vm, following, *operands)
    )


def _nowhere(context: Context) -> int:
    raise AssertionError(context)
