"""Analyzed trees into instructions for a stack machine, and those into threaded operations."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from typing import Any, TypeAlias

from pharo_practice.compiling import operations as ops
from pharo_practice.compiling.operations import Instruction, Label, assemble
from pharo_practice.compiling.semantics import (
    CHOICES,
    LOGIC,
    NIL_TESTS,
    TO_DO,
    WHILE,
    Analysis,
    FrameScope,
    Local,
    Pseudo,
    Shared,
    Slot,
)
from pharo_practice.compiling.sends import SENDS, quick_method, send, send_super
from pharo_practice.machine.machine import Machine
from pharo_practice.model.object_memory import fixed_literal
from pharo_practice.model.objects import (
    CONSTANT_CLOSURES,
    NOTHING,
    BlockClosure,
    Code,
    CompiledBlock,
    CompiledMethod,
)
from pharo_practice.reading import nodes

PSEUDO = {
    "self": ops.push_self,
    "super": ops.push_self,
    "thisContext": ops.push_context,
    "thisProcess": ops.push_process,
}
SEND, RETURN, OTHER = 1, 2, 3
STEP_KINDS: dict[object, int] = {
    **dict.fromkeys(SENDS, SEND),
    **dict.fromkeys((ops.return_top, ops.return_self, ops.return_home), RETURN),
    **dict.fromkeys((ops.store_temporary, ops.store_outer, ops.store_slot, ops.store_shared), OTHER),
    **dict.fromkeys((ops.store_undeclared, ops.push_closure), OTHER),
}
"""The instructions before which a debugger stops, as Pharo's does, and what they do."""


def generate(vm: Machine, method: CompiledMethod, node: nodes.MethodNode, analysis: Analysis) -> None:
    """Give the method its code."""
    method.literals = []
    CodeGenerator(vm, method, method, analysis, analysis.frame).method(node)


def _is_constant(node: nodes.BlockNode) -> bool:
    """Whether a block only returns a literal, and there is a class for such blocks."""
    if len(node.arguments) >= len(CONSTANT_CLOSURES) or len(node.statements) > 1:
        return False
    return all(isinstance(each, nodes.LiteralNode) for each in node.statements)


class CodeGenerator:
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
        self.node: nodes.Node | None = None
        """The node that instructions belong to now."""
        self.source_ranges: list[int] = [0, 0]
        """For each instruction the first and the last position of its source; 0 where it has none."""
        self.step_kinds = bytearray(1)
        """For each instruction why a debugger stops before it; 0 if it does not."""

    # instructions

    def add(self, function: Callable[..., int], *operands: object) -> None:
        """Append an instruction that belongs to the current node."""
        self.instructions.append((function, *operands))
        self.source_ranges += (0, 0) if self.node is None else (self.node.start, self.node.stop)
        self.step_kinds.append(STEP_KINDS.get(function, 0))

    def mark(self, label: Label) -> None:
        """Put the label at the next instruction."""
        label.position = len(self.instructions) + 1

    def top(self) -> Label:
        """A label for the next instruction, where a loop begins."""
        label = Label()
        self.mark(label)
        self.code.loops |= {label.position}
        return label

    def keep(self) -> int:
        """Pop into a new temporary of the compiler; return its index in the frame."""
        self.add(ops.store_temporary, self.frame.size)
        self.step_kinds[-1] = 0  # no source asks for it
        self.frame.size += 1
        return self.frame.size - 1

    def mention(self, node: nodes.MessageNode) -> None:
        """Add the selector to the literals."""
        self.compiled_method.literals.append(self.vm.symbol(node.selector))

    # bodies

    def values(self, statements: list[nodes.Node]) -> None:
        """Do the statements and push the value of the last one."""
        for statement in statements[:-1]:
            self.effect(statement)
        if statements:
            self.value(statements[-1])
        else:
            self.add(ops.push_constant, None)

    def inlined_values(self, block: nodes.Node) -> None:
        """Push the value of a block compiled in place."""
        if not isinstance(block, nodes.BlockNode):
            self.value(block)
            return
        self.clear(block)
        self.values(block.statements)

    def inlined_effect(self, block: nodes.Node) -> None:
        """Do what a block compiled in place does."""
        if not isinstance(block, nodes.BlockNode):
            self.effect(block)
            return
        self.clear(block)
        for statement in block.statements:
            self.effect(statement)

    def clear(self, block: nodes.BlockNode) -> None:
        """Temporaries of a block are nil each time it begins."""
        for temporary in block.temporaries:
            self.add(ops.push_constant, None)
            self.store(temporary)
            self.step_kinds[-1] = 0  # no source asks for it

    # variables

    def load(self, node: nodes.VariableNode) -> None:
        """Push a variable."""
        self.node = node
        match node.variable:
            case Local(frame=frame, index=index) if frame is self.frame:
                self.add(ops.push_temporary, index)
            case Local() as local:
                self.add(ops.push_outer, self.closures_to(local), local.index)
            case Slot(index=index):
                self.add(ops.push_slot, index)
            case Shared(binding=binding):
                self.compiled_method.literals.append(binding)
                self.add(ops.push_shared, binding)
            case Pseudo(name=name):
                self.add(PSEUDO[name])
            case _:
                self.add(ops.push_undeclared, node.name)

    def store(self, node: nodes.VariableNode) -> None:
        """Pop into a variable."""
        match node.variable:
            case Local(frame=frame, index=index) if frame is self.frame:
                self.add(ops.store_temporary, index)
            case Local() as local:
                self.add(ops.store_outer, self.closures_to(local), local.index)
            case Slot(index=index):
                self.add(ops.store_slot, index)
            case Shared(binding=binding):
                self.compiled_method.literals.append(binding)
                self.add(ops.store_shared, binding)
            case _:
                self.add(ops.store_undeclared, node.name)

    def closures_to(self, local: Local) -> range:
        """As many as there are closures between here and the frame of the variable."""
        count, frame = 0, self.frame
        while frame is not local.frame:
            assert frame.outer is not None  # noqa: S101
            frame, count = frame.outer, count + 1
        return range(count)

    # whole bodies

    def method(self, node: nodes.MethodNode) -> None:
        """A method answers self at its end, an evaluated expression its last value."""
        if node.is_doit:
            self.values(node.statements)
            self.add(ops.return_top)
            self.finish()
            return
        for statement in node.statements:
            self.effect(statement)
        if not node.statements or not isinstance(node.statements[-1], nodes.ReturnNode):
            self.node = None
            self.add(ops.return_self)
        instructions = self.finish()
        if self.compiled_method.primitive is None:
            self.compiled_method.primitive = quick_method(instructions)

    def closure(self, node: nodes.BlockNode) -> None:
        """A closure answers its last value."""
        self.values(node.statements)
        self.node = (
            nodes.Node(node.statements[0].start, node.statements[-1].stop) if node.statements else node
        )
        self.add(ops.return_top)
        self.finish()

    def finish(self) -> list[Instruction]:
        """Give the code what a debugger asks for, and its operations; answer its instructions."""
        self.code.empty_temporaries = [None] * (self.frame.size - self.code.num_args) or NOTHING
        size = "H" if max(self.source_ranges) < 1 << 16 else "I"
        self.code.source_ranges = array(size, self.source_ranges)
        self.code.step_kinds = bytes(self.step_kinds)
        self.code.temporaries = self.frame.temporaries or NOTHING
        instructions = [
            (each[0], each[1].position) if each[0] in ops.JUMPS else each for each in self.instructions
        ]
        assemble(self.vm, instructions, self.compiled_method, self.code)
        return instructions

    # nodes

    def effect(self, node: nodes.Node) -> None:
        """Do what the node does, leaving nothing on the stack."""
        if isinstance(node, nodes.AssignmentNode):
            self.value(node.value)
            self.node = node
            self.store(node.variable)
        elif isinstance(node, nodes.MessageNode) and node.inlined is not None:
            self.structure(node, wanted=False)
        elif isinstance(node, nodes.ReturnNode):
            self.value(node)
        elif not isinstance(node, nodes.LiteralNode):
            self.value(node)
            self.add(ops.pop)

    def value(self, node: nodes.Node) -> None:
        """Push what the node evaluates to."""
        VALUES[type(node)](self, node)

    def constant(self, node: nodes.LiteralNode) -> None:
        """Push a literal."""
        self.node = node
        literal = fixed_literal(self.vm.literal(node.value))
        self.compiled_method.literals.append(literal)
        self.add(ops.push_constant, literal)

    def assign(self, node: nodes.AssignmentNode) -> None:
        """Assign and leave the value."""
        self.value(node.value)
        self.node = node
        self.add(ops.duplicate)
        self.store(node.variable)

    def answer(self, node: nodes.ReturnNode) -> None:
        """Return from the method."""
        self.value(node.value)
        self.node = node
        self.add(ops.return_top if self.frame.outer is None else ops.return_home)

    def block(self, node: nodes.BlockNode) -> None:
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
        kind = CONSTANT_CLOSURES[body.num_args] if body.is_constant else BlockClosure
        self.add(ops.push_closure, body, kind)

    def array(self, node: nodes.ArrayNode) -> None:
        """Push a new array."""
        for element in node.elements:
            self.value(element)
        self.node = node
        self.add(ops.push_array, len(node.elements))

    def cascade(self, node: nodes.CascadeNode) -> None:
        """Send several messages to one receiver; the last one's value stays."""
        self.value(node.receiver)
        for message in node.messages[:-1]:
            self.add(ops.duplicate)
            self.send(message)
            self.add(ops.pop)
        self.send(node.messages[-1])

    def message(self, node: nodes.MessageNode) -> None:
        """Send a message, or emit its control structure; long chains are walked without recursion."""
        chain: list[nodes.MessageNode] = []
        inner: nodes.Node = node
        while isinstance(inner, nodes.MessageNode):
            chain.append(inner)
            if inner.inlined is not None:
                break
            inner = inner.receiver
        if isinstance(inner, nodes.MessageNode):
            self.structure(chain.pop(), wanted=True)
        else:
            self.value(inner)
        for message in reversed(chain):
            self.send(message)

    def structure(self, node: nodes.MessageNode, *, wanted: bool) -> None:
        """Emit a control structure; its selector becomes a literal, so that searches for senders find it."""
        self.mention(node)
        STRUCTURES[node.selector](self, node, wanted)

    def send(self, node: nodes.MessageNode) -> None:
        """Push the arguments and send; the receiver is there."""
        for argument in node.arguments:
            self.value(argument)
        self.node = node
        self.mention(node)
        if node.is_super:
            self.add(send_super, node.selector, len(node.arguments))
        else:
            self.add(*send(node.selector, len(node.arguments)))


VALUES: dict[type[nodes.Node], Callable[[CodeGenerator, Any], None]] = {
    nodes.VariableNode: CodeGenerator.load,
    nodes.LiteralNode: CodeGenerator.constant,
    nodes.AssignmentNode: CodeGenerator.assign,
    nodes.ReturnNode: CodeGenerator.answer,
    nodes.BlockNode: CodeGenerator.block,
    nodes.ArrayNode: CodeGenerator.array,
    nodes.CascadeNode: CodeGenerator.cascade,
    nodes.MessageNode: CodeGenerator.message,
}


# control structures


def _conditional(generator: CodeGenerator, node: nodes.MessageNode, wanted: bool) -> None:
    """``ifTrue:``, ``ifFalse:`` and their combinations."""
    first_when = node.selector.startswith("ifTrue:")
    otherwise, end = Label(), Label()
    _jump_if(generator, not first_when, node.receiver, node, otherwise)
    _one_way(generator, node.arguments[0], wanted)
    second = node.arguments[1] if len(node.arguments) > 1 else None
    if wanted or second is not None:
        generator.add(ops.jump, end)
    generator.mark(otherwise)
    if second is not None:
        _one_way(generator, second, wanted)
    elif wanted:
        generator.add(ops.push_constant, None)
    generator.mark(end)


def _jump_if(
    generator: CodeGenerator, value: bool, condition: nodes.Node, node: nodes.Node, target: Label
) -> None:
    """Jump if the condition of a control structure has this value, else go on behind it.

    ``and:`` and ``or:`` jump by themselves: they push no boolean that would be tested again.
    """
    if isinstance(condition, nodes.MessageNode) and condition.inlined in LOGIC:
        generator.mention(condition)
        settled_by, settled = condition.selector == "or:", Label()
        known = target if settled_by is value else settled
        _jump_if(generator, settled_by, condition.receiver, condition, known)
        _jump_if_block(generator, value, condition.arguments[0], node, target)
        generator.mark(settled)
    else:
        generator.value(condition)
        generator.node = node
        generator.add(ops.jump_true if value else ops.jump_false, target)


def _jump_if_block(
    generator: CodeGenerator, value: bool, block: nodes.Node, node: nodes.Node, target: Label
) -> None:
    """Do what a block compiled in place does, and jump if its value is this one."""
    assert isinstance(block, nodes.BlockNode)  # noqa: S101
    generator.clear(block)
    for statement in block.statements[:-1]:
        generator.effect(statement)
    last = block.statements[-1] if block.statements else nodes.LiteralNode(block.start, block.stop, None)
    _jump_if(generator, value, last, node, target)


def _one_way(generator: CodeGenerator, block: nodes.Node, wanted: bool) -> None:
    if wanted:
        generator.inlined_values(block)
    else:
        generator.inlined_effect(block)


def _logical(generator: CodeGenerator, node: nodes.MessageNode, wanted: bool) -> None:
    """``and:`` and ``or:`` for their value."""
    settled_by = node.selector == "or:"
    settled, end = Label(), Label()
    generator.value(node.receiver)
    generator.node = node
    generator.add(ops.jump_true if settled_by else ops.jump_false, settled)
    generator.inlined_values(node.arguments[0])
    generator.add(ops.jump, end)
    generator.mark(settled)
    generator.add(ops.push_constant, settled_by)
    generator.mark(end)
    if not wanted:
        generator.add(ops.pop)


def _nil_test(generator: CodeGenerator, node: nodes.MessageNode, wanted: bool) -> None:
    """``ifNil:``, ``ifNotNil:`` and both; where no block applies the value is the receiver."""
    keywords = node.selector.split(":")[:-1]
    branches = dict(zip(keywords, node.arguments, strict=True))
    when_nil, when_not = branches.get("ifNil"), branches.get("ifNotNil")
    not_nil, end = Label(), Label()
    generator.value(node.receiver)
    generator.node = node
    generator.add(ops.duplicate)
    generator.add(ops.jump_not_nil, not_nil)
    if when_nil is not None:
        generator.add(ops.pop)
        generator.inlined_values(when_nil)
    generator.add(ops.jump, end)
    generator.mark(not_nil)
    if when_not is not None:
        if isinstance(when_not, nodes.BlockNode) and when_not.arguments:
            generator.store(when_not.arguments[0])
        else:
            generator.add(ops.pop)
        generator.inlined_values(when_not)
    generator.mark(end)
    if not wanted:
        generator.add(ops.pop)


def _while(generator: CodeGenerator, node: nodes.MessageNode, wanted: bool) -> None:
    """``whileTrue:``, ``whileFalse:`` and both without argument; the value is nil."""
    goes_on = node.selector.startswith("whileTrue")
    end = Label()
    top = generator.top()
    _jump_if_block(generator, not goes_on, node.receiver, node, end)
    for body in node.arguments:
        generator.inlined_effect(body)
    generator.add(ops.loop, top)
    generator.mark(end)
    if wanted:
        generator.add(ops.push_constant, None)


def _repeat(generator: CodeGenerator, node: nodes.MessageNode, wanted: bool) -> None:
    """``repeat``: only a return ends it."""
    top = generator.top()
    generator.inlined_effect(node.receiver)
    generator.node = node
    generator.add(ops.loop, top)
    if wanted:
        generator.add(ops.push_constant, None)


def _to_do(generator: CodeGenerator, node: nodes.MessageNode, wanted: bool) -> None:
    """``to:do:`` and ``to:by:do:``; the first number is the value."""
    block = node.arguments[-1]
    assert isinstance(block, nodes.BlockNode)  # noqa: S101
    counter, limit = block.arguments[0], node.arguments[0]
    step = node.arguments[1] if len(node.arguments) == 3 else nodes.LiteralNode(node.start, node.stop, 1)
    assert isinstance(step, nodes.LiteralNode)  # noqa: S101
    assert isinstance(step.value, int | float)  # noqa: S101
    generator.value(node.receiver)
    if wanted:
        generator.add(ops.duplicate)
    generator.node = node
    generator.store(counter)
    kept = None
    if not isinstance(limit, nodes.LiteralNode):
        generator.value(limit)
        kept = generator.keep()
    end = Label()
    top = generator.top()
    generator.load(counter)
    if kept is None:
        generator.value(limit)
    else:
        generator.add(ops.push_temporary, kept)
    generator.node = node
    generator.add(*send("<=" if step.value > 0 else ">=", 1))
    generator.add(ops.jump_false, end)
    generator.inlined_effect(block)
    generator.node = node
    generator.load(counter)
    generator.value(step)
    generator.node = node
    generator.add(*send("+", 1))
    generator.store(counter)
    generator.add(ops.loop, top)
    generator.mark(end)


Structure: TypeAlias = Callable[[CodeGenerator, nodes.MessageNode, bool], None]
"""Emits a control structure; the flag is whether its value is wanted."""

STRUCTURES: dict[str, Structure] = {
    **dict.fromkeys(CHOICES, _conditional),
    **dict.fromkeys(LOGIC, _logical),
    **dict.fromkeys(NIL_TESTS, _nil_test),
    **dict.fromkeys(WHILE, _while),
    **dict.fromkeys(TO_DO, _to_do),
    "repeat": _repeat,
}
