"""The operations that push and store; those that jump and return are in ``jumps``.

Each factory takes the machine, the program counter that follows, and its operands.
"""

from __future__ import annotations

from collections.abc import Callable

from pharo_practice.compiling import jumps
from pharo_practice.machine.machine import Machine
from pharo_practice.model.behavior import Operation, Pointers, Value
from pharo_practice.model.code import CONSTANT_CLOSURES, BlockClosure, CompiledBlock, Context


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
    if distance == 1:

        def operation(context: Context) -> int:
            context.frame.append(context.closure.outer.frame[index])  # type: ignore[union-attr]
            return following

        return operation

    def far_operation(context: Context) -> int:
        context.frame.append(_outer(context, distance).frame[index])
        return following

    return far_operation


def _outer(context: Context, distance: int) -> Context:
    for _ in range(distance):
        context = context.closure.outer  # type: ignore[union-attr]
    return context


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

    def operation(context: Context) -> int:
        _outer(context, distance).frame[index] = context.frame.pop()
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


FACTORIES: dict[str, Callable[..., Operation]] = {
    "self": push_self,
    "constant": push_constant,
    "temporary": push_temporary,
    "outer": push_outer,
    "slot": push_slot,
    "shared": push_shared,
    "context": push_context,
    "process": push_process,
    "undeclared": push_undeclared,
    "closure": push_closure,
    "array": push_array,
    "duplicate": duplicate,
    "pop": pop,
    "store_temporary": store_temporary,
    "store_outer": store_outer,
    "store_slot": store_slot,
    "store_shared": store_shared,
    "store_undeclared": store_undeclared,
    "jump": jumps.jump,
    "loop": jumps.loop,
    "jump_true": jumps.jump_true,
    "jump_false": jumps.jump_false,
    "jump_not_nil": jumps.jump_not_nil,
    "return": jumps.return_top,
    "return_self": jumps.return_self,
    "return_home": jumps.return_home,
}
