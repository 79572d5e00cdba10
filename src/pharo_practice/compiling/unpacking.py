"""Compiled methods from bytes that an earlier start has kept beside their source: see ``packing``.

The bytes hold the instructions and literals of a method, and what a debugger asks for. Variables are in them
by their names, which are looked up again. Instance variables are places in an object, so the bytes are used
only while the class has the variables that it had.
"""

from __future__ import annotations

import marshal
from array import array
from collections.abc import Callable
from typing import Any

from pharo_practice.compiling.assembler import Assemble, assemble
from pharo_practice.compiling.instructions import Instruction
from pharo_practice.compiling.linking import find_binding, install_primitive
from pharo_practice.compiling.quick_methods import quick_method
from pharo_practice.machine.machine import Machine
from pharo_practice.model.behavior import (
    NO_LOOPS,
    NOTHING,
    Code,
    CompiledMethod,
    Pointers,
    Span,
    Temporary,
    Value,
)
from pharo_practice.model.code import CompiledBlock
from pharo_practice.model.objects import Bytes, character
from pharo_practice.model.read_only import fixed_literal
from pharo_practice.reading.nodes import LiteralNode, PragmaNode, Symbol

REFERRING = frozenset({"literal", "shared", "store_shared", "closure"})
"""Instructions whose operand is the place of a literal."""


class MissingVariable(Exception):
    """Code that uses a variable that there is no more."""


def unpack(vm: Machine, method: CompiledMethod, data: bytes, assemble: Assemble = assemble) -> bool:
    """Give a method the code that was packed; false if it does not fit the image as it is now."""
    slots, pragmas, literals, body = marshal.loads(data)  # noqa: S302 - verified as a part of its file
    if slots != tuple(method.method_class.all_slots()):
        return False
    unpacker = _Unpacker(vm, method, assemble)
    try:
        unpacker.literals = [
            each if type(each) is not tuple else MAKERS[each[0]](unpacker, *each[1:]) for each in literals
        ]
    except MissingVariable:
        return False
    method.literals = unpacker.literals
    method.pragmas = [_pragma(*each) for each in pragmas] or NOTHING
    install_primitive(method)
    instructions = unpacker.body(method, *body)
    if method.primitive is None:
        method.primitive = quick_method(instructions, method.num_args)
    return True


def _pragma(start: int, stop: int, selector: str, arguments: list[tuple[int, int, Any, bool]]) -> PragmaNode:
    values = [
        LiteralNode(first, last, Symbol(value) if is_symbol else value)
        for first, last, value, is_symbol in arguments
    ]
    return PragmaNode(start, stop, selector, [*values])


class _Unpacker:
    """Makes the parts of one method."""

    def __init__(self, vm: Machine, method: CompiledMethod, assemble: Assemble) -> None:
        self.vm = vm
        self.method = method
        self.assemble = assemble
        self.literals: list[Value] = []

    # literals

    def symbol(self, text: str) -> Value:
        """The symbol with these characters."""
        return self.vm.symbol(text)

    def string(self, text: str) -> Value:
        """A string."""
        return self.vm.string(text)

    def byte_array(self, data: bytes) -> Value:
        """A byte array."""
        return Bytes(self.vm.classes["ByteArray"], bytearray(data))

    def character(self, code: int) -> Value:
        """The character with this code."""
        return character(code)

    def number(self, name: str, fields: list[int]) -> Value:
        """A fraction or scaled decimal."""
        return Pointers(self.vm.classes[name], fields)

    def array(self, elements: list[Any]) -> Value:
        """An array of literals."""
        return self.vm.array(
            [each if type(each) is not tuple else MAKERS[each[0]](self, *each[1:]) for each in elements]
        )

    def variable(self, name: str) -> Value:
        """The variable of this name."""
        found = find_binding(self.vm, self.method.method_class, name)
        if found is None:
            raise MissingVariable(name)
        return found

    def block(self, *description: Value) -> Value:
        """A block is made when the code around it is, since it knows that."""
        return description

    # code

    def body(
        self,
        body: Code,
        blanks: int,
        spans: tuple[str, bytes],
        stops: bytes,
        loops: tuple[int, ...],
        temporaries: list[tuple[Any, ...]],
        packed: list[Instruction],
    ) -> list[Instruction]:
        """Give the method or a block its code; returns the instructions."""
        instructions = [each if each[0] not in REFERRING else self.referring(body, *each) for each in packed]
        body.blanks = [None] * blanks or NOTHING
        body.spans = array(*spans)
        body.stops = stops
        body.loops = frozenset(loops) or NO_LOOPS
        body.temporaries = [Temporary._make(each) for each in temporaries] or NOTHING
        self.assemble(self.vm, instructions, self.method, body)
        return instructions

    def referring(self, body: Code, name: str, place: int) -> Instruction:
        """An instruction with its literal."""
        if name == "literal":
            return "constant", fixed_literal(self.literals[place])
        if name == "closure":
            self.literals[place] = self.closed(body, *self.literals[place])
        return name, self.literals[place]

    def closed(
        self, outer: Code, num_args: int, span: Span, is_constant: bool, has_literal: bool, *packed: Value
    ) -> CompiledBlock:
        """A block within the method, or within another block."""
        block = CompiledBlock(num_args, outer, self.method, span)
        block.is_constant = is_constant
        instructions = self.body(block, *packed)
        if has_literal:
            block.literals = [instructions[0][1]]
        return block


MAKERS: dict[str, Callable[..., Value]] = {
    name: getattr(_Unpacker, name)
    for name in ("symbol", "string", "byte_array", "character", "number", "array", "variable", "block")
}
"""What makes a literal, by what it is."""
