"""Analyzed trees into instructions for a stack machine, and those into threaded operations."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any

from pharo_practice.compiling.assembler import assemble
from pharo_practice.compiling.emitter import Emitter
from pharo_practice.compiling.inlined_codegen import STRUCTURES
from pharo_practice.compiling.instructions import Instruction
from pharo_practice.compiling.quick_methods import quick_method
from pharo_practice.compiling.semantics import Analysis
from pharo_practice.machine.machine import Machine
from pharo_practice.model.behavior import NOTHING, CompiledMethod
from pharo_practice.model.code import CONSTANT_CLOSURES, CompiledBlock
from pharo_practice.model.read_only import fixed_literal
from pharo_practice.reading.nodes import (
    ArrayNode,
    AssignmentNode,
    BlockNode,
    CascadeNode,
    LiteralNode,
    MessageNode,
    MethodNode,
    Node,
    ReturnNode,
    VariableNode,
)

JUMPS = frozenset({"jump", "loop", "jump_true", "jump_false", "jump_not_nil"})
"""Instructions with a place to go on at."""
SEND, RETURN, OTHER = 1, 2, 3
STOPS = (
    dict.fromkeys(("send", "super"), SEND)
    | dict.fromkeys(("return", "return_self", "return_home"), RETURN)
    | {f"store_{kind}": OTHER for kind in ("temporary", "outer", "slot", "shared", "undeclared")}
    | {"closure": OTHER}
)
"""The instructions before which a debugger stops, as Pharo's does, and what they do."""


def generate(vm: Machine, method: CompiledMethod, node: MethodNode, analysis: Analysis) -> None:
    """Give the method its code."""
    method.literals = []
    CodeGenerator(vm, method, method, analysis, analysis.frame).method(node)


def _is_constant(node: BlockNode) -> bool:
    """Whether a block only returns a literal, and there is a class for such blocks."""
    if len(node.arguments) >= len(CONSTANT_CLOSURES) or len(node.statements) > 1:
        return False
    return all(isinstance(each, LiteralNode) for each in node.statements)


class CodeGenerator(Emitter):
    """Writes the instructions of one method or closure."""

    # whole bodies

    def method(self, node: MethodNode) -> None:
        """A method answers self at its end, an evaluated expression its last value."""
        if node.is_doit:
            self.values(node.statements)
            self.add("return")
            self.finish()
            return
        for statement in node.statements:
            self.effect(statement)
        if not node.statements or not isinstance(node.statements[-1], ReturnNode):
            self.node = None
            self.add("return_self")
        instructions = self.finish()
        if self.compiled_method.primitive is None:
            self.compiled_method.primitive = quick_method(instructions, self.compiled_method.num_args)

    def closure(self, node: BlockNode) -> None:
        """A closure answers its last value."""
        self.values(node.statements)
        self.node = Node(node.statements[0].start, node.statements[-1].stop) if node.statements else node
        self.add("return")
        self.finish()

    def finish(self) -> list[Instruction]:
        """Give the code what a debugger asks for, and its operations; answer its instructions."""
        self.code.blanks = [None] * (self.frame.size - self.code.num_args) or NOTHING
        self.code.spans = self.spans()
        self.code.stops = self.stops()
        self.code.temporaries = self.frame.temporaries or NOTHING
        instructions = [
            each if each[0] not in JUMPS else (each[0], each[1].position) for each in self.instructions
        ]
        assemble(self.vm, instructions, self.compiled_method, self.code)
        return instructions

    def spans(self) -> array[int]:
        """For each instruction the first and the last position of its source; 0 where it has none."""
        spans = [0, 0]
        for node in self.nodes:
            spans += (0, 0) if node is None else (node.start, node.stop)
        return array("H" if max(spans) < 1 << 16 else "I", spans)

    def stops(self) -> bytes:
        """For each instruction why a debugger stops before it; 0 if it does not."""
        stops = bytearray(1)
        stops.extend(STOPS.get(str(instruction[0]), 0) for instruction in self.instructions)
        for place in self.unwritten:
            stops[place] = 0
        return bytes(stops)

    # nodes

    def effect(self, node: Node) -> None:
        """Do what the node does, leaving nothing on the stack."""
        if isinstance(node, AssignmentNode):
            self.value(node.value)
            self.node = node
            self.store(node.variable)
        elif isinstance(node, MessageNode) and node.inlined is not None:
            self.structure(node, wanted=False)
        elif isinstance(node, ReturnNode):
            self.value(node)
        elif not isinstance(node, LiteralNode):
            self.value(node)
            self.add("pop")

    def value(self, node: Node) -> None:
        """Push what the node evaluates to."""
        VALUES[type(node)](self, node)

    def constant(self, node: LiteralNode) -> None:
        """Push a literal."""
        self.node = node
        literal = fixed_literal(self.vm.literal(node.value))
        self.compiled_method.literals.append(literal)
        self.add("constant", literal)

    def assign(self, node: AssignmentNode) -> None:
        """Assign and leave the value."""
        self.value(node.value)
        self.node = node
        self.add("duplicate")
        self.store(node.variable)

    def answer(self, node: ReturnNode) -> None:
        """Return from the method."""
        self.value(node.value)
        self.node = node
        self.add("return" if self.frame.outer is None else "return_home")

    def block(self, node: BlockNode) -> None:
        """Push a closure."""
        body = CompiledBlock(len(node.arguments), self.code, self.compiled_method, (node.start, node.stop))
        frame = self.analysis.frames[node]
        body.is_constant = _is_constant(node)
        method = self.compiled_method
        CodeGenerator(self.vm, body, method, self.analysis, frame).closure(node)
        if body.is_constant and node.statements:
            body.literals = self.compiled_method.literals[-1:]
        self.compiled_method.literals.append(body)
        self.node = node
        self.add("closure", body)

    def array(self, node: ArrayNode) -> None:
        """Push a new array."""
        for element in node.elements:
            self.value(element)
        self.node = node
        self.add("array", len(node.elements))

    def cascade(self, node: CascadeNode) -> None:
        """Send several messages to one receiver; the last one's value stays."""
        self.value(node.receiver)
        for message in node.messages[:-1]:
            self.add("duplicate")
            self.send(message)
            self.add("pop")
        self.send(node.messages[-1])

    def message(self, node: MessageNode) -> None:
        """Send a message, or emit its control structure; long chains are walked without recursion."""
        chain: list[MessageNode] = []
        inner: Node = node
        while isinstance(inner, MessageNode):
            chain.append(inner)
            if inner.inlined is not None:
                break
            inner = inner.receiver
        if isinstance(inner, MessageNode):
            self.structure(chain.pop(), wanted=True)
        else:
            self.value(inner)
        for message in reversed(chain):
            self.send(message)

    def structure(self, node: MessageNode, *, wanted: bool) -> None:
        """Emit a control structure; its selector becomes a literal, so that searches for senders find it."""
        self.mention(node)
        STRUCTURES[node.selector](self, node, wanted)

    def send(self, node: MessageNode) -> None:
        """Push the arguments and send; the receiver is there."""
        for argument in node.arguments:
            self.value(argument)
        self.node = node
        self.mention(node)
        self.add("super" if node.is_super else "send", node.selector, len(node.arguments))


VALUES: dict[type[Node], Callable[[CodeGenerator, Any], None]] = {
    VariableNode: CodeGenerator.load,
    LiteralNode: CodeGenerator.constant,
    AssignmentNode: CodeGenerator.assign,
    ReturnNode: CodeGenerator.answer,
    BlockNode: CodeGenerator.block,
    ArrayNode: CodeGenerator.array,
    CascadeNode: CodeGenerator.cascade,
    MessageNode: CodeGenerator.message,
}
