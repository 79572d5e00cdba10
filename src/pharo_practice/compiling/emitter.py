"""The base of code generation: instructions, labels, variables, and inlined bodies."""

from __future__ import annotations

from abc import ABC, abstractmethod

from pharo_practice.compiling.instructions import Instruction, Label
from pharo_practice.compiling.semantics import Analysis, FrameScope, Local, Pseudo, Shared, Slot
from pharo_practice.machine.machine import Machine
from pharo_practice.model.behavior import Code, CompiledMethod
from pharo_practice.reading.nodes import BlockNode, MessageNode, Node, VariableNode

PSEUDO_INSTRUCTIONS = {"self": "self", "super": "self", "thisContext": "context", "thisProcess": "process"}


class Emitter(ABC):
    """Collects the instructions of one method or closure."""

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
        """For each instruction the node it belongs to."""
        self.node: Node | None = None
        """The node that instructions belong to now."""
        self.unwritten: set[int] = set()
        """Positions of the stores that no source asks for."""

    @abstractmethod
    def value(self, node: Node) -> None:
        """Push what the node evaluates to."""

    @abstractmethod
    def effect(self, node: Node) -> None:
        """Do what the node does, leaving nothing on the stack."""

    # instructions

    def add(self, operation: str, *operands: object) -> None:
        """Append an instruction that belongs to the current node."""
        self.instructions.append((operation, *operands))
        self.nodes.append(self.node)

    def place(self, label: Label) -> None:
        """Put the label at the next instruction."""
        label.position = len(self.instructions) + 1

    def top(self) -> Label:
        """A label for the next instruction, where a loop begins."""
        label = Label()
        self.place(label)
        self.code.loops |= {label.position}
        return label

    def new_temporary(self) -> int:
        """A place in the frame for a temporary value of the compiler."""
        self.frame.size += 1
        return self.frame.size - 1

    def keep(self, index: int) -> None:
        """Pop into the place of a temporary value of the compiler."""
        self.add("store_temporary", index)
        self.unwritten.add(len(self.instructions))

    def mention(self, node: MessageNode) -> None:
        """Add the selector to the literals."""
        self.compiled_method.literals.append(self.vm.symbol(node.selector))

    # bodies

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
            self.unwritten.add(len(self.instructions))

    # variables

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
