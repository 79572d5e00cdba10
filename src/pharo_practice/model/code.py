"""Compiled blocks, closures, and the contexts in which methods and blocks run."""

from __future__ import annotations

from typing import ClassVar

from pharo_practice.model.behavior import Behavior, Code, CompiledMethod, Span, Value


class CompiledBlock(Code):
    """The body of a block within a method."""

    __slots__ = ("is_constant", "literals", "method", "outer", "span")
    cls: ClassVar[Behavior]
    primitive_number: ClassVar[int] = 0

    def __init__(self, num_args: int, outer: Code, method: CompiledMethod, span: Span) -> None:
        super().__init__(num_args)
        self.is_constant = False
        """Whether it only returns a literal."""
        self.literals: list[Value] = []
        """That literal, if it has one; the literals of other blocks are kept by their method."""
        self.outer = outer
        self.method = method
        self.span = span


class BlockClosure:
    """A block with the context it was made in. As with contexts, whoever makes one sets its attributes."""

    __slots__ = ("body", "identity", "outer", "receiver")
    cls: ClassVar[Behavior]

    body: CompiledBlock
    outer: Context
    receiver: Value

    @property
    def home(self) -> Context:
        """The context of the method in which the block is written."""
        context = self.outer
        while context.closure is not None:
            context = context.closure.outer
        return context


class ConstantClosure(BlockClosure):
    """A block that only returns a literal; in Smalltalk it has no outer context and no receiver."""

    __slots__ = ()

    @property
    def value(self) -> Value:
        """What it returns."""
        return self.body.literals[0] if self.body.literals else None


class ConstantClosure1(ConstantClosure):
    """The same with one argument."""

    __slots__ = ()


class ConstantClosure2(ConstantClosure):
    """The same with two arguments."""

    __slots__ = ()


class ConstantClosure3(ConstantClosure):
    """The same with three arguments."""

    __slots__ = ()


CONSTANT_CLOSURES = (ConstantClosure, ConstantClosure1, ConstantClosure2, ConstantClosure3)
"""By number of arguments; a block with more of them is an ordinary one."""


class Context:
    """One activation of a method or block, on Python's heap.

    ``frame`` holds arguments, temporaries and then the stack. ``sender`` is ``DEAD`` once it has returned.
    Sends set the attributes themselves: calling ``__init__`` would cost as much as the send.
    """

    __slots__ = ("closure", "frame", "identity", "method", "pc", "receiver", "sender")
    cls: ClassVar[Behavior]

    closure: BlockClosure | None
    frame: list[Value]
    method: CompiledMethod | CompiledBlock
    pc: int
    receiver: Value
    sender: Context

    @property
    def home(self) -> Context:
        """The method's context that a ``^`` in this one returns from."""
        return self if self.closure is None else self.closure.home

    @property
    def home_method(self) -> CompiledMethod:
        """The method that this context runs, or runs a block of."""
        method = self.method
        return method if isinstance(method, CompiledMethod) else method.method


DEAD = Context()
"""The sender of every context that has returned."""


def new_context(
    sender: Context,
    method: CompiledMethod | CompiledBlock,
    receiver: Value,
    arguments: list[Value],
    closure: BlockClosure | None = None,
) -> Context:
    """An activation about to begin. ``arguments`` becomes its frame: hand over a list of your own."""
    context = Context()
    context.sender = sender
    context.method = method
    context.receiver = receiver
    context.frame = arguments
    arguments += method.blanks
    context.closure = closure
    context.pc = 1
    return context


def copied_context(context: Context) -> Context:
    """A context that stands where this one stands, and stays there when this one goes on."""
    copied = Context()
    copied.sender, copied.method, copied.receiver = context.sender, context.method, context.receiver
    copied.frame, copied.closure, copied.pc = list(context.frame), context.closure, context.pc
    return copied
