"""Analyzed trees into instructions for a stack machine, and those into threaded operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeAlias

from pharo_standin.assembler import Instruction, Label, assemble
from pharo_standin.code import CONSTANT_CLOSURES, Code, CompiledBlock, CompiledMethod
from pharo_standin.nodes import (
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
from pharo_standin.quick import quick_method
from pharo_standin.semantics import Analysis, FrameScope, Local, Pseudo, Shared, Slot
from pharo_standin.writability import fixed_literal

if TYPE_CHECKING:
    from pharo_standin.machine import Machine


def generate(vm: Machine, method: CompiledMethod, node: MethodNode, analysis: Analysis) -> None:
    """Give the method its code."""
    method.pragmas = node.pragmas
    Emitter(vm, method, method, analysis, analysis.frame).method(node)


def _is_constant(node: BlockNode) -> bool:
    """Whether a block does nothing but answer a literal, and there is a class for such blocks."""
    if len(node.arguments) >= len(CONSTANT_CLOSURES) or len(node.statements) > 1:
        return False
    return all(isinstance(each, LiteralNode) for each in node.statements)


class Emitter:
    """Writes the instructions of one method or closure."""

    def __init__(
        self, vm: Machine, code: Code, method: CompiledMethod, analysis: Analysis, frame: FrameScope
    ) -> None:
        self.vm = vm
        self.code = code
        self.compiled_method = method
        self.analysis = analysis
        self.frame = frame
        self.instructions: list[Instruction] = []
        self.nodes: list[Node | None] = []
        self.node: Node | None = None

    # whole bodies

    def method(self, node: MethodNode) -> None:
        """A method answers self at its end, an evaluated expression its last value."""
        if node.is_doit:
            self.values(node.statements)
            self.add("return")
        else:
            for statement in node.statements:
                self.effect(statement)
            if not node.statements or not isinstance(node.statements[-1], ReturnNode):
                self.add("return_self")
            if self.compiled_method.primitive is None:
                self.compiled_method.primitive = quick_method(self.instructions)
        self.finish()

    def closure(self, node: BlockNode) -> None:
        """A closure answers its last value."""
        self.values(node.statements)
        self.add("return")
        self.finish()

    def finish(self) -> None:
        """Turn the instructions into the code's operations."""
        self.code.blanks = [None] * (self.frame.size - self.code.num_args)
        self.code.code = assemble(self.vm, self.instructions, self.compiled_method)
        spans = {node: (node.start, node.stop) for node in self.nodes if node is not None}
        self.code.spans = [None, *(None if node is None else spans[node] for node in self.nodes)]
        self.code.temporaries = self.frame.temporaries

    # instructions

    def add(self, operation: str, *operands: object) -> None:
        """Append an instruction that belongs to the current node."""
        self.instructions.append((operation, *operands))
        self.nodes.append(self.node)

    def place(self, label: Label) -> None:
        """Let the label stand for the next instruction."""
        label.position = len(self.instructions) + 1

    def top(self) -> Label:
        """A label for the next instruction, where a loop begins."""
        label = Label()
        self.place(label)
        self.code.loops |= {label.position}
        return label

    def new_temporary(self) -> int:
        """Room in the frame for a value of the compiler's own."""
        self.frame.size += 1
        return self.frame.size - 1

    # nodes

    def values(self, statements: list[Node]) -> None:
        """Do the statements and push the value of the last one."""
        for statement in statements[:-1]:
            self.effect(statement)
        if statements:
            self.value(statements[-1])
        else:
            self.add("constant", None)

    def inlined_values(self, block: Node) -> None:
        """Push the value of a block compiled in place."""
        if not isinstance(block, BlockNode):
            self.value(block)
            return
        self.clear(block)
        self.values(block.statements)

    def inlined_effect(self, block: Node) -> None:
        """Do what a block compiled in place does."""
        if not isinstance(block, BlockNode):
            self.effect(block)
            return
        self.clear(block)
        for statement in block.statements:
            self.effect(statement)

    def clear(self, block: BlockNode) -> None:
        """Temporaries of a block are nil each time it begins."""
        for temporary in block.temporaries:
            self.add("constant", None)
            self.store(temporary)

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

    def load(self, node: VariableNode) -> None:
        """Push a variable."""
        self.node = node
        match node.variable:
            case Local(frame=frame, index=index) if frame is self.frame:
                self.add("temporary", index)
            case Local() as local:
                self.add("outer", self.distance(local), local.index)
            case Slot(index=index):
                self.add("slot", index)
            case Shared(binding=binding):
                self.compiled_method.literals.append(binding)
                self.add("shared", binding)
            case Pseudo(name=name):
                self.add(PSEUDO_INSTRUCTIONS[name])
            case _:
                self.add("undeclared", node.name)

    def store(self, node: VariableNode) -> None:
        """Pop into a variable."""
        match node.variable:
            case Local(frame=frame, index=index) if frame is self.frame:
                self.add("store_temporary", index)
            case Local() as local:
                self.add("store_outer", self.distance(local), local.index)
            case Slot(index=index):
                self.add("store_slot", index)
            case Shared(binding=binding):
                self.compiled_method.literals.append(binding)
                self.add("store_shared", binding)
            case _:
                self.add("store_undeclared", node.name)

    def distance(self, local: Local) -> int:
        """How many closures lie between here and the frame of the variable."""
        count, frame = 0, self.frame
        while frame is not local.frame:
            assert frame.outer is not None  # noqa: S101
            frame, count = frame.outer, count + 1
        return count

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
        Emitter(self.vm, body, self.compiled_method, self.analysis, frame).closure(node)
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
        """Send a message, or do what its control structure does; long chains without recursion."""
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
        """Do what a control structure does; its selector is a literal, for those who look for senders."""
        self.mention(node)
        STRUCTURES[node.selector](self, node, wanted)

    def mention(self, node: MessageNode) -> None:
        """Hold the selector among the literals."""
        self.compiled_method.literals.append(self.vm.symbol(node.selector))

    def send(self, node: MessageNode) -> None:
        """Push the arguments and send; the receiver is there."""
        for argument in node.arguments:
            self.value(argument)
        self.node = node
        self.mention(node)
        self.add("super" if node.is_super else "send", node.selector, len(node.arguments))


Structure: TypeAlias = Callable[[Emitter, MessageNode, bool], None]
"""Emits a control structure; the flag says whether its value is wanted."""

PSEUDO_INSTRUCTIONS = {"self": "self", "super": "self", "thisContext": "context", "thisProcess": "process"}

VALUES: dict[type[Node], Callable[[Emitter, Any], None]] = {
    VariableNode: Emitter.load,
    LiteralNode: Emitter.constant,
    AssignmentNode: Emitter.assign,
    ReturnNode: Emitter.answer,
    BlockNode: Emitter.block,
    ArrayNode: Emitter.array,
    CascadeNode: Emitter.cascade,
    MessageNode: Emitter.message,
}

from pharo_standin.structures import STRUCTURES  # noqa: E402  (its functions take an Emitter)
