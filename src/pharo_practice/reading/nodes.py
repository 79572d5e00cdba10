"""The nodes of parsed source. Positions are those of Smalltalk: from 1, with ``stop`` included."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple, TypeAlias


class Symbol(str):
    """The value of a symbol literal."""

    __slots__ = ()


class CharacterCode(int):
    """The value of a character literal."""


class Scaled:
    """The value of a scaled decimal literal such as ``3.14s2``."""

    def __init__(self, value: Fraction, scale: int) -> None:
        self.value, self.scale = value, scale


LiteralValue: TypeAlias = (
    "int | float | Fraction | Scaled | str | Symbol | CharacterCode | bool | bytes"
    " | tuple[LiteralValue, ...] | None"
)


class Variable:
    """The variable of a name. The compiler's analysis resolves it, with a subclass for each kind."""


class Node:
    """Part of a tree, with its position in the source."""

    def __init__(self, start: int, stop: int) -> None:
        self.start, self.stop = start, stop


class VariableNode(Node):
    """A name that is declared, read or assigned."""

    def __init__(self, start: int, stop: int, name: str) -> None:
        self.start, self.stop = start, stop
        self.name = name
        self.variable: Variable | None = None
        """Set by the compiler's analysis."""


class LiteralNode(Node):
    """A literal; literal arrays are tuples, byte arrays are ``bytes``."""

    def __init__(self, start: int, stop: int, value: LiteralValue) -> None:
        self.start, self.stop = start, stop
        self.value = value


class ArrayNode(Node):
    """A brace array: ``{ 1 + 1. 2 }``."""

    def __init__(self, start: int, stop: int, elements: list[Node]) -> None:
        self.start, self.stop = start, stop
        self.elements = elements


class MessageNode(Node):
    """A message send."""

    def __init__(
        self,
        start: int,
        stop: int,
        receiver: Node,
        selector: str,
        arguments: list[Node],
        keyword_positions: tuple[int, ...],
    ) -> None:
        self.start, self.stop = start, stop
        self.receiver, self.selector, self.arguments = receiver, selector, arguments
        self.keyword_positions = keyword_positions
        """Where the selector begins, or each of its keywords."""
        self.in_parentheses = False
        self.inlined: str | None = None
        """Set by the analysis: the control structure it is compiled to, if it is one."""

    @property
    def is_super(self) -> bool:
        """Whether the receiver is written ``super``."""
        return isinstance(self.receiver, VariableNode) and self.receiver.name == "super"


class CascadeNode(Node):
    """Several messages to one receiver."""

    def __init__(self, start: int, stop: int, receiver: Node, messages: list[MessageNode]) -> None:
        self.start, self.stop = start, stop
        self.receiver, self.messages = receiver, messages


class AssignmentNode(Node):
    """``variable := value``."""

    def __init__(self, start: int, stop: int, variable: VariableNode, value: Node) -> None:
        self.start, self.stop = start, stop
        self.variable, self.value = variable, value


class ReturnNode(Node):
    """``^ value``."""

    def __init__(self, start: int, stop: int, value: Node) -> None:
        self.start, self.stop = start, stop
        self.value = value


class BlockNode(Node):
    """A block, compiled to a closure or inlined."""

    def __init__(
        self,
        start: int,
        stop: int,
        arguments: list[VariableNode],
        temporaries: list[VariableNode],
        statements: list[Node],
    ) -> None:
        self.start, self.stop = start, stop
        self.arguments, self.temporaries, self.statements = arguments, temporaries, statements


class PragmaNode(Node):
    """A pragma with its literal arguments."""

    def __init__(
        self, start: int, stop: int, selector: str, arguments: list[LiteralNode | VariableNode]
    ) -> None:
        self.start, self.stop = start, stop
        self.selector, self.arguments = selector, arguments


class CommentNode(Node):
    """A comment; ``contents`` without the quotes."""

    def __init__(self, start: int, stop: int, contents: str) -> None:
        self.start, self.stop = start, stop
        self.contents = contents


class MethodNode(Node):
    """A whole method, or expressions to evaluate (selector ``DoIt``)."""

    def __init__(
        self, start: int, selector: str, arguments: list[VariableNode], *, is_doit: bool = False
    ) -> None:
        self.start, self.stop = start, 0
        self.selector, self.arguments = selector, arguments
        self.temporaries: list[VariableNode] = []
        self.statements: list[Node] = []
        self.pragmas: list[PragmaNode] = []
        self.comments: list[CommentNode] = []
        self.keyword_positions: tuple[int, ...] = ()
        self.is_doit = is_doit


class Notice(NamedTuple):
    """An error or warning about source, in Pharo's words. ``position`` counts from 1."""

    message: str
    position: int
    is_error: bool = True
    is_syntax_error: bool = False
    is_undeclared: bool = False
    node: Node | None = None
    is_write: bool = False
