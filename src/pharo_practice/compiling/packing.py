"""Compiled methods as bytes, which are kept beside their source for the next start: see ``unpacking``."""

from __future__ import annotations

import marshal
from typing import Any

from pharo_practice.compiling.codegen import generate
from pharo_practice.compiling.compiler import parse
from pharo_practice.compiling.instructions import Instruction
from pharo_practice.compiling.linking import find_binding
from pharo_practice.machine.machine import Machine
from pharo_practice.model.behavior import Code, CompiledMethod, Pointers, Value
from pharo_practice.model.code import CompiledBlock
from pharo_practice.model.objects import NATIVE_TYPES, Bytes, Character, Words
from pharo_practice.reading.nodes import LiteralNode, PragmaNode, Symbol


class Unpackable(Exception):
    """A method that has to be compiled from its source each time."""


def packed(vm: Machine, method: CompiledMethod) -> bytes:
    """A method as bytes; empty if it has errors, or something that cannot be described."""
    cls = method.method_class
    parsed = parse(vm, method.source, cls=cls, is_doit=False)
    faults = [each for each in parsed.notices if each.is_error or each.is_undeclared]
    if parsed.node is None or parsed.analysis is None or faults:
        return b""
    copied = CompiledMethod(method.selector, "", cls)
    copied.pragmas = parsed.node.pragmas
    generated: dict[Code, list[Instruction]] = {}

    def note(_vm: Machine, instructions: list[Instruction], _method: CompiledMethod, body: Code) -> None:
        generated[body] = instructions

    generate(vm, copied, parsed.node, parsed.analysis, note)
    packer = _Packer(vm, copied, generated)
    try:
        pragmas = [packer.pragma(each) for each in copied.pragmas]
        literals = [packer.literal(each) for each in copied.literals]
        return marshal.dumps((tuple(cls.all_slots()), pragmas, literals, packer.body(copied)))
    except Unpackable:
        return b""


class _Packer:
    """Describes the parts of one method."""

    def __init__(self, vm: Machine, method: CompiledMethod, generated: dict[Code, list[Instruction]]) -> None:
        self.vm = vm
        self.method = method
        self.generated = generated

    def pragma(self, node: PragmaNode) -> tuple[Any, ...]:
        """A pragma, if its arguments are simple literals."""
        values = [each.value for each in node.arguments if isinstance(each, LiteralNode)]
        if len(values) < len(node.arguments) or any(type(each) not in (int, str, Symbol) for each in values):
            raise Unpackable
        arguments = [
            (each.start, each.stop, str(value) if isinstance(value, str) else value, type(value) is Symbol)
            for each, value in zip(node.arguments, values, strict=True)
        ]
        return node.start, node.stop, node.selector, arguments

    def literal(self, value: Value) -> Value:
        """A literal, a variable, or a block, as a tuple whose first element says what it is."""
        kind = type(value)
        if kind in NATIVE_TYPES:
            return value
        if isinstance(value, CompiledBlock):
            return (
                "block",
                value.num_args,
                value.span,
                value.is_constant,
                bool(value.literals),
                *self.body(value),
            )
        if kind is Character:
            return "character", value.code
        name = value.cls.name
        if kind is Pointers and name == "Array":
            return "array", [self.literal(each) for each in value.fields]
        if kind is Pointers and name in ("Fraction", "ScaledDecimal"):
            return "number", name, list(value.fields)
        if name == "ByteArray":
            return "byte_array", bytes(value.data)
        if kind is Bytes or kind is Words:
            return "symbol" if self.vm.selector(value) is not None else "string", self.vm.text(value)
        return "variable", self.variable(value)

    def variable(self, value: Value) -> str:
        """The name of a variable, if that is enough to find it."""
        if type(value) is Pointers and value.fields and type(value.fields[0]) in (Bytes, Words):
            name = self.vm.text(value.fields[0])
            if find_binding(self.vm, self.method.method_class, name) is value:
                return name
        raise Unpackable

    def body(self, body: Code) -> tuple[Any, ...]:
        """The code of the method or a block."""
        return (
            len(body.blanks),
            (body.spans.typecode, body.spans.tobytes()),
            body.stops,
            tuple(body.loops),
            [tuple(each) for each in body.temporaries],
            [self.instruction(*each) for each in self.generated[body]],
        )

    def instruction(self, name: str, *operands: Value) -> tuple[Any, ...]:
        """An instruction; one whose operand is among the literals has its place there instead."""
        if name in ("constant", "shared", "store_shared", "closure"):
            for place, literal in enumerate(self.method.literals):
                if literal is operands[0]:
                    return "literal" if name == "constant" else name, place
            if type(operands[0]) not in NATIVE_TYPES:
                raise Unpackable
        return name, *operands
