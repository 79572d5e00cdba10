"""Instructions into threaded operations: functions of the active context, whose operands are bound to them.

An operation takes the active context and its own index in the code, the program counter, and returns the next
one. 0 means "look at the active context again", so the first one has the index 1. Methods share operations
with the same operands. Those that send are in ``sends``.
"""

from __future__ import annotations

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


class Label:
    """A position in the code; its position is set when code generation reaches it."""

    def __init__(self, position: int = 0) -> None:
        self.position = position


# jumps


def jump(_context: Context, _pc: int, _vm: Machine, target: int) -> int:
    """Jump forward."""
    return target


def loop(context: Context, _pc: int, _vm: Machine, target: int) -> int:
    """Jump backward by way of the machine's loop, which may run another process."""
    context.pc = target
    return 0


def jump_true(context: Context, pc: int, vm: Machine, target: int) -> int:
    """Pop a boolean and jump if it is true."""
    value = context.frame.pop()
    if value is True:
        return target
    if value is False:
        return pc + 1
    return vm.signal_not_boolean(context, value, pc)


def jump_false(context: Context, pc: int, vm: Machine, target: int) -> int:
    """Pop a boolean and jump if it is false."""
    value = context.frame.pop()
    if value is True:
        return pc + 1
    if value is False:
        return target
    return vm.signal_not_boolean(context, value, pc)


def jump_not_nil(context: Context, pc: int, _vm: Machine, target: int) -> int:
    """Pop a value and jump if it is not nil."""
    return pc + 1 if context.frame.pop() is None else target


JUMPS = frozenset({jump, loop, jump_true, jump_false, jump_not_nil})
"""Those whose operand is a label."""


# returns


def return_top(context: Context, _pc: int, vm: Machine) -> int:
    """Return the topmost value to the sender."""
    sender = context.sender
    context.sender = DEAD
    sender.frame.append(context.frame.pop())
    vm.active = sender
    return 0


def return_self(context: Context, _pc: int, vm: Machine) -> int:
    """Return the receiver to the sender."""
    sender = context.sender
    context.sender = DEAD
    sender.frame.append(context.receiver)
    vm.active = sender
    return 0


def return_home(context: Context, pc: int, vm: Machine) -> int:
    """Return the topmost value from the method this closure is written in, unwinding what lies between."""
    context.pc = pc + 1
    return vm.return_through(context, context.home, context.frame.pop())


# pushing


def push_self(context: Context, pc: int, _vm: Machine) -> int:
    """Push the receiver."""
    context.frame.append(context.receiver)
    return pc + 1


def push_constant(context: Context, pc: int, _vm: Machine, value: Value) -> int:
    """Push a literal."""
    context.frame.append(value)
    return pc + 1


def push_temporary(context: Context, pc: int, _vm: Machine, index: int) -> int:
    """Push an argument or temporary of this frame."""
    frame = context.frame
    frame.append(frame[index])
    return pc + 1


def push_outer(context: Context, pc: int, _vm: Machine, closures: range, index: int) -> int:
    """Push a variable of the frame as many closures further out."""
    outer = context
    for _ in closures:
        outer = outer.closure.outer  # type: ignore[union-attr]
    context.frame.append(outer.frame[index])
    return pc + 1


def push_slot(context: Context, pc: int, _vm: Machine, index: int) -> int:
    """Push an instance variable."""
    context.frame.append(context.receiver.fields[index])
    return pc + 1


def push_shared(context: Context, pc: int, _vm: Machine, binding: Pointers) -> int:
    """Push the value of a binding."""
    context.frame.append(binding.fields[1])
    return pc + 1


def push_context(context: Context, pc: int, _vm: Machine) -> int:
    """Push the active context."""
    context.frame.append(context)
    return pc + 1


def push_process(context: Context, pc: int, vm: Machine) -> int:
    """Push the active process."""
    scheduler = vm.scheduler
    context.frame.append(scheduler.effective if scheduler.is_stepping else scheduler.active)
    return pc + 1


def push_undeclared(context: Context, pc: int, vm: Machine, name: str) -> int:
    """Push a global that was undefined when the method was compiled, or signal that it still is."""
    binding = vm.globals.get(name)
    if binding is None:
        context.pc = pc + 1
        return vm.signal_undeclared(context, name, "undeclaredVariableRead:")
    context.frame.append(binding.fields[1])
    return pc + 1


def push_closure(
    context: Context, pc: int, _vm: Machine, body: CompiledBlock, kind: type[BlockClosure]
) -> int:
    """Push a new closure over this context."""
    closure = kind()
    closure.body = body
    closure.outer = context
    closure.receiver = context.receiver
    context.frame.append(closure)
    return pc + 1


def push_array(context: Context, pc: int, vm: Machine, size: int) -> int:
    """Collect the topmost values in a new array."""
    frame = context.frame
    values = frame[-size:] if size else []
    if size:
        del frame[-size:]
    frame.append(vm.array(values))
    return pc + 1


def duplicate(context: Context, pc: int, _vm: Machine) -> int:
    """Push the topmost value again."""
    frame = context.frame
    frame.append(frame[-1])
    return pc + 1


# popping


def pop(context: Context, pc: int, _vm: Machine) -> int:
    """Drop the topmost value."""
    context.frame.pop()
    return pc + 1


def store_temporary(context: Context, pc: int, _vm: Machine, index: int) -> int:
    """Pop into a temporary of this frame."""
    frame = context.frame
    frame[index] = frame.pop()
    return pc + 1


def store_outer(context: Context, pc: int, _vm: Machine, closures: range, index: int) -> int:
    """Pop into a variable of the frame as many closures further out."""
    outer = context
    for _ in closures:
        outer = outer.closure.outer  # type: ignore[union-attr]
    outer.frame[index] = context.frame.pop()
    return pc + 1


def store_slot(context: Context, pc: int, vm: Machine, index: int) -> int:
    """Pop into an instance variable; a read-only receiver gets ``attemptToAssign:withIndex:``."""
    value = context.frame.pop()
    try:
        context.receiver.fields[index] = value
    except TypeError:
        context.pc = pc + 1
        return vm.send(context, context.receiver, "attemptToAssign:withIndex:", [value, index + 1])
    return pc + 1


def store_shared(context: Context, pc: int, _vm: Machine, binding: Pointers) -> int:
    """Pop into a binding."""
    binding.fields[1] = context.frame.pop()
    return pc + 1


def store_undeclared(context: Context, pc: int, vm: Machine, name: str) -> int:
    """Pop into a global that was undefined when the method was compiled, or signal that it still is."""
    value = context.frame.pop()
    binding = vm.globals.get(name)
    if binding is None:
        context.pc = pc + 1
        context.frame.append(value)
        return vm.signal_undeclared(context, name, "undeclaredVariableWrite:")
    binding.fields[1] = value
    return pc + 1


UNSHARED = frozenset({push_constant, push_shared, store_shared, push_closure})
"""Those whose operands may be equal without being the same, or would be kept alive by being shared."""


def assemble(vm: Machine, instructions: list[Instruction], method: CompiledMethod, body: Code) -> None:
    """Give the method, or a block in it, its operations, indexed by program counter."""
    body.code = [_nowhere, *(_operation(vm, method, each) for each in instructions)]


def _operation(vm: Machine, method: CompiledMethod, instruction: Instruction) -> Operation:
    """The operation of an instruction, which methods share unless only one can have it."""
    if instruction[0] in UNSHARED:
        return _bound(vm, *instruction)
    found = vm.operations.get(instruction)
    if found is None:
        found = _bound(vm, *instruction)
        if method.selector != DOIT:
            vm.share(instruction, found)
    return found


def _bound(vm: Machine, function: FunctionType, *operands: Value) -> Operation:
    """The function with its operands as defaults, which are found as fast as local variables."""
    return FunctionType(function.__code__, function.__globals__, function.__name__, (vm, *operands))


def _nowhere(context: Context, pc: int) -> int:
    raise AssertionError(context, pc)
