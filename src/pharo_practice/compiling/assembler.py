"""Instructions into threaded operations: one closure each, and fused ones where a pattern allows.

Program counter 0 means "look at the active context again", so the first operation has the index 1. A fused
operation takes the place of its first part and leaves the others where they are: when its fast case does
not hold it does that first part alone, and the rest follow one by one.
"""

from __future__ import annotations

from pharo_practice.compiling import operations, sends, superinstructions
from pharo_practice.compiling.instructions import Instruction, Label
from pharo_practice.machine.machine import Machine
from pharo_practice.model.behavior import Code, CompiledMethod, Operation
from pharo_practice.model.code import Context


def assemble(vm: Machine, instructions: list[Instruction], method: CompiledMethod, body: Code) -> None:
    """Give the method, or a block in it, its operations, indexed by program counter."""
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
    body.code = code
    body.single = superinstructions.fuse(vm, resolved, code)


def _nowhere(context: Context) -> int:
    raise AssertionError(context)
