"""The nodes of parsed source. Positions are those of Smalltalk: from 1, with ``stop`` included."""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import TypeAlias


class Symbol(str):
    """The value of a symbol literal."""

    __slots__ = ()


class CharacterCode(int):
    """The value of a character literal."""


@dataclass(eq=False)
class Scaled:
    """The value of a scaled decimal literal such as ``3.14s2``."""

    value: Fraction
    scale: int


LiteralValue: TypeAlias = (
    "int | float | Fraction | Scaled | str | Symbol | CharacterCode | bool | bytes"
    " | tuple[LiteralValue, ...] | None"
)


@dataclass(eq=False)
class Variable:
    """The variable of a name. The compiler's analysis resolves it, with a subclass for each kind."""


@dataclass(eq=False)
class Node:
    """Part of a tree, with its position in the source."""

    start: int
    stop: int


@dataclass(eq=False)
class VariableNode(Node):
    """A name that is declared, read or assigned."""

    name: str
    variable: Variable | None = None
    """Set by the compiler's analysis."""


@dataclass(eq=False)
class LiteralNode(Node):
    """A literal; literal arrays are tuples, byte arrays are ``bytes``."""

    value: LiteralValue


@dataclass(eq=False)
class ArrayNode(Node):
    """A brace array: ``{ 1 + 1. 2 }``."""

    elements: list[Node]


@dataclass(eq=False)
class MessageNode(Node):
    """A message send."""

    receiver: Node
    selector: str
    arguments: list[Node]
    in_parentheses: bool = False
    inlined: str | None = None
    """Set by the analysis: the control structure it is compiled to, if it is one."""

    @property
    def is_super(self) -> bool:
        """Whether the receiver is written ``super``."""
        return isinstance(self.receiver, VariableNode) and self.receiver.name == "super"


@dataclass(eq=False)
class CascadeNode(Node):
    """Several messages to one receiver."""

    receiver: Node
    messages: list[MessageNode]


@dataclass(eq=False)
class AssignmentNode(Node):
    """``variable := value``."""

    variable: VariableNode
    value: Node


@dataclass(eq=False)
class ReturnNode(Node):
    """``^ value``."""

    value: Node


@dataclass(eq=False)
class BlockNode(Node):
    """A block, compiled to a closure or inlined."""

    arguments: list[VariableNode]
    temporaries: list[VariableNode]
    statements: list[Node]


@dataclass(eq=False)
class PragmaNode(Node):
    """A pragma with its literal arguments."""

    selector: str
    arguments: list[LiteralNode | VariableNode]


@dataclass(eq=False)
class CommentNode(Node):
    """A comment; ``contents`` without the quotes."""

    contents: str


@dataclass(eq=False)
class MethodNode(Node):
    """A whole method, or expressions to evaluate (selector ``DoIt``)."""

    selector: str
    arguments: list[VariableNode]
    temporaries: list[VariableNode]
    statements: list[Node]
    pragmas: list[PragmaNode] = field(default_factory=list)
    comments: list[CommentNode] = field(default_factory=list)
    source: str = ""
    is_doit: bool = False


@dataclass(eq=False)
class Notice:
    """An error or warning about source, in Pharo's words. ``position`` counts from 1."""

    message: str
    position: int
    is_error: bool = True
    is_syntax_error: bool = False
    is_undeclared: bool = False
    node: Node | None = None
    is_write: bool = False
