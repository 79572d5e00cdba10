"""Instructions into threaded operations: one closure each, shared by methods.

Program counter 0 means "look at the active context again", so the first operation has the index 1.
"""

from __future__ import annotations

from collections.abc import Iterator

from pharo_practice.compiling import operations, sends
from pharo_practice.compiling.instructions import DOIT, Instruction
from pharo_practice.machine.machine import Machine
from pharo_practice.model.behavior import Code, CompiledMethod, Operation
from pharo_practice.model.code import Context

UNSHARED = frozenset({"constant", "shared", "store_shared", "closure", "super"})
"""Instructions that methods cannot share: operands are equal without being the same, or the method counts."""


def assemble(vm: Machine, instructions: list[Instruction], method: CompiledMethod, body: Code) -> None:
    """Give the method, or a block in it, its operations, indexed by program counter."""
    body.code = [_nowhere, *_operations(vm, method, instructions)]


def _operations(vm: Machine, method: CompiledMethod, instructions: list[Instruction]) -> Iterator[Operation]:
    """The operations of instructions; methods share those whose operands are numbers and selectors."""
    redefined, is_shared = len(vm.redefined), method.selector != DOIT
    for following, instruction in enumerate(instructions, start=2):
        if is_shared and instruction[0] not in UNSHARED:
            key = (following, redefined, instruction)
            found = vm.operations.get(key)
            yield found or vm.share(key, _operation(vm, method, following, instruction))
        else:
            yield _operation(vm, method, following, instruction)


def _operation(vm: Machine, method: CompiledMethod, following: int, instruction: Instruction) -> Operation:
    name = instruction[0]
    if name == "super":
        return sends.send_super(vm, following, method, *instruction[1:])
    factory = sends.send if name == "send" else operations.FACTORIES[name]
    return factory(vm, following, *instruction[1:])


def _nowhere(context: Context) -> int:
    raise AssertionError(context)
