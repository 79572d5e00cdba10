"""Instructions into threaded operations: one closure each, and fused ones where a pattern allows.

Program counter 0 means "look at the active context again", so the first operation has the index 1. A fused
operation takes the place of its first part and leaves the others where they are: when its fast case does
not hold it does that first part alone, and the rest follow one by one.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

from pharo_standin import fusion, operations, sends
from pharo_standin.code import CompiledMethod, Context, Operation
from pharo_standin.objects import Value

if TYPE_CHECKING:
    from pharo_standin.machine import Machine

Instruction: TypeAlias = tuple[Value, ...]
"""The name of an operation and its operands."""


@dataclass(slots=True, eq=False)
class Label:
    """A place in the code, known once it has been reached."""

    position: int = 0


def assemble(vm: Machine, instructions: list[Instruction], method: CompiledMethod) -> list[Operation]:
    """The operations, indexed by program counter."""
    resolved: list[Instruction] = [
        tuple(operand.position if isinstance(operand, Label) else operand for operand in instruction)
        for instruction in instructions
    ]
    code: list[Operation] = [_nowhere]
    for position, (name, *operands) in enumerate(resolved, start=1):
        following = position + 1
        if name == "send":
            code.append(sends.send(vm, following, *operands))
        elif name == "super":
            code.append(sends.send_super(vm, following, method, *operands))
        else:
            code.append(operations.FACTORIES[str(name)](vm, following, *operands))
    fusion.fuse(vm, resolved, code)
    return code


def _nowhere(context: Context) -> int:
    raise AssertionError(context)
