"""Compiled code and what runs it: methods, blocks, closures and contexts."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeAlias

from pharo_standin.objects import Behavior, Value

if TYPE_CHECKING:
    from pharo_standin.nodes import PragmaNode

Operation: TypeAlias = Callable[["Context"], int]
"""One step of compiled code: works on the active context and answers the next program counter.

0 stands for: look at the machine's active context again, it may be another one.
"""

Span: TypeAlias = tuple[int, int]
"""The first and the last position of a piece of source."""


class Temporary(NamedTuple):
    """An argument or temporary: its place in the frame, and the block or method whose code can use it."""

    name: str
    place: int
    span: Span


class Code:
    """What a context runs: the body of a method or of a block, compiled when first needed."""

    __slots__ = ("blanks", "code", "identity", "loops", "num_args", "spans", "temporaries")

    def __init__(self, num_args: int) -> None:
        self.num_args = num_args
        self.code: list[Operation] = []
        self.blanks: list[None] = []
        """Room for the temporaries, appended to a new frame behind the arguments."""
        self.spans: list[Span | None] = []
        """For each operation where in the source it comes from."""
        self.loops: frozenset[int] = frozenset()
        """Where loops begin: a context there has just jumped back, and is not behind a send."""
        self.temporaries: list[Temporary] = []
        """The arguments and temporaries, those of the innermost blocks first."""


class CompiledMethod(Code):
    """A method, its source text, and once it has run its code."""

    __slots__ = (
        "is_compiled",
        "literals",
        "method_class",
        "origin",
        "package",
        "pragmas",
        "primitive",
        "primitive_number",
        "protocol",
        "selector",
        "source",
    )
    cls: ClassVar[Behavior]

    def __init__(self, selector: str, source: str, method_class: Behavior, protocol: str = "") -> None:
        super().__init__(argument_count(selector))
        self.selector = selector
        self.source = source
        self.method_class = method_class
        self.protocol = protocol
        self.package = ""
        self.origin: Behavior = method_class
        """The trait a method came from, else its class."""
        self.primitive: Callable[..., Value] | None = None
        self.primitive_number = 0
        """198 and 199 mark contexts that unwinding and signalling look for."""
        self.is_compiled = False
        self.literals: list[Value] = []
        self.pragmas: list[PragmaNode] = []


class CompiledBlock(Code):
    """The body of a block within a method."""

    __slots__ = ("is_constant", "literals", "method", "outer", "span")
    cls: ClassVar[Behavior]
    primitive_number: ClassVar[int] = 0

    def __init__(self, num_args: int, outer: Code, method: CompiledMethod, span: Span) -> None:
        super().__init__(num_args)
        self.is_constant = False
        """Whether it does nothing but answer a literal."""
        self.literals: list[Value] = []
        """That literal, if it is one; what other blocks refer to is kept with their method."""
        self.outer = outer
        self.method = method
        self.span = span


class BlockClosure:
    """A block with the context it was made in."""

    __slots__ = ("body", "identity", "outer", "receiver")
    cls: ClassVar[Behavior]

    def __init__(self, body: CompiledBlock, outer: Context) -> None:
        self.body = body
        self.outer = outer
        self.receiver = outer.receiver

    @property
    def home(self) -> Context:
        """The context of the method in which I was written."""
        context = self.outer
        while context.closure is not None:
            context = context.closure.outer
        return context


class ConstantClosure(BlockClosure):
    """A block that only answers a literal: in Smalltalk it knows nothing of where it was made."""

    __slots__ = ()


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
"""By their number of arguments; with more of them a block is an ordinary one."""


class Context:
    """One activation of a method or block, on Python's heap.

    ``frame`` holds arguments, temporaries and then the stack. ``sender`` is ``DEAD`` once it has returned.
    Sends fill the attributes in by themselves: a call of ``__init__`` would cost as much as the send.
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
        """The method's context to which a ``^`` in me returns."""
        return self if self.closure is None else self.closure.home

    @property
    def home_method(self) -> CompiledMethod:
        """The method I am, or am a block of."""
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


def argument_count(selector: str) -> int:
    """How many arguments a message with this selector has."""
    if selector and not (selector[0].isalpha() or selector[0] == "_"):
        return 1
    return selector.count(":")
