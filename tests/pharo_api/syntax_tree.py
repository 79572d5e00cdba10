"""The parsed form of a method, as far as it is checked. Positions are offsets in the text of the file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from pharo_api.classes import Side


@dataclass(frozen=True, slots=True)
class Variable:
    """A name, where it is declared, read or assigned to."""

    name: str
    position: int


@dataclass(frozen=True, slots=True)
class Literal:
    """A literal, of one of the kinds in ``receivers.CLASS_OF_LITERAL`` or of one whose class is not known."""

    kind: str


@dataclass(frozen=True, slots=True)
class Brace:
    """``{ 1 + 1. 2 }``."""

    elements: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Assignment:
    """``variable := value``."""

    variable: Variable
    value: Node


@dataclass(frozen=True, slots=True)
class Return:
    """``^ value``."""

    value: Node
    position: int


@dataclass(frozen=True, slots=True)
class Message:
    """A selector with its arguments; the position is that of the selector's first part."""

    selector: str
    arguments: tuple[Node, ...]
    position: int


@dataclass(frozen=True, slots=True)
class Send:
    """A message and its receiver."""

    receiver: Node
    message: Message


@dataclass(frozen=True, slots=True)
class Cascade:
    """Several messages to one receiver."""

    receiver: Node
    messages: tuple[Message, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """``[ :argument | | temporary | statements ]``."""

    arguments: tuple[Variable, ...]
    temporaries: tuple[Variable, ...]
    statements: tuple[Node, ...]


Node: TypeAlias = Variable | Literal | Brace | Assignment | Return | Send | Cascade | Block


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a method begins with: its selector and the names of its arguments."""

    selector: str
    arguments: tuple[Variable, ...]
    position: int


@dataclass(frozen=True, slots=True)
class Body:
    """What a method does."""

    temporaries: tuple[Variable, ...]
    error_codes: tuple[Variable, ...]
    """The variables that pragmas of primitives declare."""
    statements: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Method:
    """A method of a Tonel file."""

    owner: str
    side: Side
    protocol: str
    pattern: Pattern
    body: Body

    @property
    def selector(self) -> str:
        """The method's name."""
        return self.pattern.selector

    @property
    def position(self) -> int:
        """Where its pattern begins."""
        return self.pattern.position

    @property
    def label(self) -> str:
        """How it is written in findings."""
        return f"{self.side.of(self.owner)}>>#{self.selector}"

    @property
    def is_deprecated(self) -> bool:
        """Whether it announces its own deprecation."""
        return any(message.selector.startswith("deprecated:") for message in messages(self.body.statements))


def messages(nodes: Iterable[Node]) -> Iterator[Message]:
    """Every message that is sent within some trees."""
    for node in walk(nodes):
        match node:
            case Send(message=message):
                yield message
            case Cascade(messages=several):
                yield from several


def walk(nodes: Iterable[Node]) -> Iterator[Node]:
    """Every node of some trees, parents before what is in them."""
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        yield node
        waiting += parts(node)


def parts(node: Node) -> Iterable[Node]:
    """The nodes directly within a node."""
    match node:
        case Send(receiver, message):
            return (receiver, *message.arguments)
        case Cascade(receiver, several):
            return (receiver, *(argument for message in several for argument in message.arguments))
        case Assignment(variable, value):
            return (variable, value)
        case Return(value):
            return (value,)
        case Block(statements=statements):
            return statements
        case Brace(elements):
            return elements
    return ()
