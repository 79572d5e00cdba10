"""Parsing of methods and expressions by recursive descent, with Pharo's own texts of errors.

The first syntax error ends parsing: no tree is returned, and the error is a notice.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

from pharo_practice.reading.nodes import (
    ArrayNode,
    AssignmentNode,
    BlockNode,
    CascadeNode,
    LiteralNode,
    LiteralValue,
    MessageNode,
    MethodNode,
    Node,
    Notice,
    PragmaNode,
    ReturnNode,
    Symbol,
    VariableNode,
)
from pharo_practice.reading.scanner import Scanner, Token

DEEPEST = 400
"""How many parentheses, blocks and arrays may be open at once."""
LONGEST_CHAIN = 5_000
"""Messages to one receiver after the other."""
PYTHON_FRAMES = 20_000
"""Room for Python to follow what is nested that deeply; frames of Python code are not on C's stack."""
CLOSERS = frozenset(")]}")
Result = TypeVar("Result")


class SyntaxFault(Exception):
    """The first syntax error in the source."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message, position)
        self.message = message
        self.position = position


def parse_source(source: str, *, is_doit: bool) -> tuple[MethodNode | None, Notice | None]:
    """The tree of a method or of expressions, or the notice that explains why there is none."""
    if sys.getrecursionlimit() < PYTHON_FRAMES:
        sys.setrecursionlimit(PYTHON_FRAMES)
    parser = Parser(source)
    try:
        return (parser.doit() if is_doit else parser.method()), None
    except SyntaxFault as fault:
        return None, Notice(fault.message, fault.position, is_syntax_error=True)


class Parser:
    """Parses a method, or expressions to evaluate."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.scanner = Scanner(source)
        self.token = self.scanner.next()
        self.previous_stop = 0
        self.depth = 0
        self.pragmas: list[PragmaNode] = []

    # the current token

    def step(self) -> Token:
        """Move to the next token and return the previous one."""
        token = self.token
        self.previous_stop = token.stop
        self.token = self.scanner.next()
        return token

    def is_special(self, text: str) -> bool:
        """Whether the current token is this punctuation mark."""
        return self.token.kind == "special" and self.token.text == text

    def fail(self, message: str) -> SyntaxFault:
        """The error to raise at the current token; a malformed token has its own message."""
        token = self.token
        if token.kind == "error":
            return SyntaxFault(token.text, token.location)
        return SyntaxFault(message, token.start)

    def nested(self, parse: Callable[[Parser], Result]) -> Result:
        """Parse what is one level deeper, within the limit."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise SyntaxFault(f"Nested too deeply (more than {DEEPEST} levels)", self.token.start)
        result = parse(self)
        self.depth -= 1
        return result

    def longer(self, length: int) -> int:
        """Return ``length`` + 1, within the limit."""
        if length >= LONGEST_CHAIN:
            raise SyntaxFault(f"Chain of messages too long (more than {LONGEST_CHAIN})", self.token.start)
        return length + 1

    def split_negative(self) -> None:
        """Read ``3 -4`` as a subtraction."""
        token = self.token
        if token.kind == "number" and token.text.startswith("-"):
            self.scanner.position = token.start
            self.token = Token("binary", "-", token.start, token.start)

    def variable(self) -> VariableNode:
        """Parse the name of an argument."""
        if self.token.kind != "name":
            raise self.fail("Variable name expected")
        token = self.step()
        return VariableNode(token.start, token.stop, token.text)

    def is_bar(self) -> bool:
        """Whether the current token starts with a vertical bar."""
        return self.token.kind == "binary" and self.token.text.startswith("|")

    def step_bar(self) -> None:
        """Consume one vertical bar, which may be part of another operator."""
        token = self.token
        if len(token.text) > 1:
            self.token = Token("binary", token.text[1:], token.start + 1, token.stop)
        else:
            self.step()

    # literals

    def literal(self) -> LiteralNode:
        """Parse a literal of any kind."""
        start = self.token.start
        if self.token.kind != "array":
            return LiteralNode(start, self.token.stop, self.step().value)
        value = self.literal_array()
        return LiteralNode(start, self.previous_stop, value)

    def literal_array(self) -> LiteralValue:
        """Parse ``#( )``, ``( )`` within one, or ``#[ ]``."""
        if self.token.text == "#[":
            return self.byte_array()
        outermost, self.scanner.in_array = not self.scanner.in_array, True
        self.step()
        values: list[LiteralValue] = []
        while self.token.kind != "end" and not self.is_special(")"):
            values.append(self.array_element())
        if not self.is_special(")"):
            raise self.fail("')' expected")
        self.scanner.in_array = not outermost
        self.step()
        return tuple(values)

    def array_element(self) -> LiteralValue:
        """Parse an element of a literal array."""
        token = self.token
        if token.kind == "array" or self.is_special("("):
            return self.nested(Parser.literal_array)
        if token.kind in ("literal", "number"):
            return self.step().value
        if token.kind in ("special", "assign") and token.text not in CLOSERS:
            return Symbol(self.step().text)
        raise self.fail("Literal constant expected")

    def byte_array(self) -> bytes:
        """Parse ``#[ 1 2 3 ]``."""
        self.step()
        values = bytearray()
        while self.token.kind != "end" and not self.is_special("]"):
            value = self.token.value
            if self.token.kind != "number" or not isinstance(value, int) or not 0 <= value <= 255:
                raise self.fail("8-bit integer expected")
            values.append(value)
            self.step()
        if not self.is_special("]"):
            raise self.fail("']' expected")
        self.step()
        return bytes(values)

    # temporaries

    def temporaries(self) -> list[VariableNode]:
        """Parse the declaration of temporaries, if there is one."""
        names: list[VariableNode] = []
        if not self.is_bar():
            return names
        self.step_bar()
        while self.token.kind == "name":
            names.append(self.variable())
        if not self.is_bar():
            raise self.fail("'|' or variable expected")
        self.step_bar()
        return names

    # statements

    def statements(self, closer: str) -> list[Node]:
        """Parse statements up to ``closer``, which is not consumed; '' is the end of the source."""
        found: list[Node] = []
        self.periods()
        while self.token.kind != "end" and not (closer and self.is_special(closer)):
            found.append(self.statement(closer))
            self.periods()
        return found

    def periods(self) -> None:
        """Skip full stops."""
        while self.is_special("."):
            self.step()

    def statement(self, closer: str) -> Node:
        """Parse one statement, and check that the next token can follow it."""
        token = self.token
        if token.kind == "special" and token.text in CLOSERS:
            raise self.fail(f"Missing opener for closer: {token.text}")
        if token.kind == "special" and token.text == "^":
            self.step()
            value = self.assignment()
            node: Node = ReturnNode(token.start, value.stop, value)
        else:
            node = self.assignment()
        token = self.token
        if token.kind == "end" or self.is_special("."):
            return node
        if token.kind == "special" and token.text in CLOSERS:
            if token.text != closer:
                raise self.fail(f"Missing opener for closer: {token.text}")
            return node
        raise self.fail("End of statement expected")

    def assignment(self) -> Node:
        """Parse an expression or an assignment."""
        if self.token.kind == "assign":
            raise self.fail("variable expected in assigment")
        targets: list[VariableNode] = []
        while True:
            if self.token.kind != "name":
                value = self.cascade()
                break
            token = self.step()
            name = VariableNode(token.start, token.stop, token.text)
            if self.token.kind != "assign":
                value = self.cascade(name)
                break
            targets.append(name)
            if len(targets) > DEEPEST:
                raise SyntaxFault(f"Nested too deeply (more than {DEEPEST} levels)", self.token.start)
            self.step()
        for name in reversed(targets):
            value = AssignmentNode(name.start, value.stop, name, value)
        return value

    # messages

    def cascade(self, primary: Node | None = None) -> Node:
        """Parse an expression or a cascade."""
        node = self.keyword_message(self.binary_message(self.unary_messages(primary or self.primary())))
        if not self.is_special(";"):
            return node
        if not isinstance(node, MessageNode) or node.in_parentheses:
            raise self.fail("Message expected")
        receiver, messages = node.receiver, [node]
        while self.is_special(";"):
            self.step()
            messages.append(self.cascaded(receiver))
        return CascadeNode(receiver.start, self.previous_stop, receiver, messages)

    def cascaded(self, receiver: Node) -> MessageNode:
        """Parse one message after a semicolon."""
        self.split_negative()
        if self.token.kind == "name":
            return self.unary_message(receiver)
        if self.token.kind == "keyword":
            message = self.keyword_message(receiver)
        elif self.token.kind == "binary":
            message = self.one_binary(receiver)
        else:
            raise self.fail("Cascade message expected")
        assert isinstance(message, MessageNode)  # noqa: S101
        return message

    def keyword_message(self, receiver: Node) -> Node:
        """Parse a keyword message to the receiver; without one return the receiver."""
        if self.token.kind != "keyword":
            return receiver
        keywords: list[Token] = []
        arguments: list[Node] = []
        while self.token.kind == "keyword":
            keywords.append(self.step())
            arguments.append(self.binary_message(self.unary_messages(self.primary())))
        selector = "".join(each.text for each in keywords)
        positions = tuple(each.start for each in keywords)
        return MessageNode(receiver.start, self.previous_stop, receiver, selector, arguments, positions)

    def binary_message(self, node: Node) -> Node:
        """Parse binary messages to the node; without any return the node."""
        length = 0
        while True:
            self.split_negative()
            if self.token.kind != "binary":
                return node
            node = self.one_binary(node)
            length = self.longer(length)

    def one_binary(self, receiver: Node) -> MessageNode:
        """Parse a binary message with its argument."""
        operator = self.step()
        argument = self.unary_messages(self.primary())
        positions = (operator.start,)
        return MessageNode(receiver.start, self.previous_stop, receiver, operator.text, [argument], positions)

    def unary_messages(self, node: Node) -> Node:
        """Parse unary messages to the node; without any return the node."""
        length = 0
        while self.token.kind == "name" or self.token.text in ("nil", "true", "false"):
            if self.token.kind == "literal" and not isinstance(self.token.value, bool | None):
                break
            node = self.unary_message(node)
            length = self.longer(length)
        return node

    def unary_message(self, receiver: Node) -> MessageNode:
        """Parse one unary message."""
        token = self.step()
        return MessageNode(receiver.start, token.stop, receiver, token.text, [], (token.start,))

    # primaries

    def primary(self) -> Node:
        """Parse a variable, literal, block, array, or an expression in parentheses."""
        token = self.token
        match token.kind:
            case "name":
                return self.variable()
            case "literal" | "number" | "array":
                return self.literal()
            case "special" if token.text in BRACKETS:
                return self.nested(BRACKETS[token.text])
            case "special" if token.text == ":":
                self.step()
                known = "Unexpected block parameter" if self.token.kind == "name" else "Unexpected token"
                raise SyntaxFault(known, token.start)
        raise self.fail("Variable or expression expected")

    def parenthesized(self) -> Node:
        """Parse an expression in parentheses."""
        start = self.step().start
        node = self.assignment()
        if not self.is_special(")"):
            raise self.fail("')' expected")
        self.step()
        if isinstance(node, MessageNode):
            node.in_parentheses = True
        node.start, node.stop = start, self.previous_stop
        return node

    def block(self) -> BlockNode:
        """Parse a block."""
        start = self.step().start
        arguments = []
        while self.is_special(":"):
            self.step()
            arguments.append(self.variable())
        if arguments:
            if self.is_bar():
                self.step_bar()
            elif not self.is_special("]"):
                raise self.fail("'|' or parameter expected")
        temporaries = self.temporaries()
        statements = self.statements("]")
        if not self.is_special("]"):
            raise self.fail("']' expected")
        self.step()
        return BlockNode(start, self.previous_stop, arguments, temporaries, statements)

    def brace_array(self) -> ArrayNode:
        """Parse an array of expressions."""
        start = self.step().start
        elements = self.statements("}")
        if not self.is_special("}"):
            raise self.fail("'}' expected")
        self.step()
        return ArrayNode(start, self.previous_stop, elements)

    # methods

    def method(self) -> MethodNode:
        """Parse a method with its pattern."""
        start = self.token.start
        selector, arguments, positions = self.pattern()
        node = MethodNode(start, selector, arguments)
        node.keyword_positions = positions
        self.pragma_list()
        return self.body_into(node)

    def doit(self) -> MethodNode:
        """Parse expressions to evaluate."""
        return self.body_into(MethodNode(1, "DoIt", [], is_doit=True))

    def body_into(self, node: MethodNode) -> MethodNode:
        """Parse temporaries, pragmas and statements to the end of the source."""
        node.temporaries = self.temporaries()
        self.pragma_list()
        node.statements = self.statements("")
        node.pragmas = self.pragmas
        node.comments = self.scanner.comments
        node.stop = len(self.source)
        return node

    def pattern(self) -> tuple[str, list[VariableNode], tuple[int, ...]]:
        """Parse the selector and the names of the arguments. Return also where the keywords begin."""
        token = self.token
        if token.kind == "name" or (token.kind == "literal" and token.text in ("nil", "true", "false")):
            return self.step().text, [], (token.start,)
        if token.kind == "binary":
            return self.step().text, [self.variable()], (token.start,)
        if token.kind != "keyword":
            raise self.fail("Message pattern expected")
        keywords, arguments = [], []
        while self.token.kind == "keyword":
            keywords.append(self.step())
            arguments.append(self.variable())
        return "".join(each.text for each in keywords), arguments, tuple(each.start for each in keywords)

    def pragma_list(self) -> None:
        """Parse all pragmas at this position."""
        while self.token.kind == "binary" and self.token.text == "<":
            start = self.step().start
            self.pragmas.append(self.pragma(start))

    def pragma(self, start: int) -> PragmaNode:
        """Parse one pragma after its ``<``."""
        selector, arguments = "", []
        if self.token.kind == "name":
            selector = self.step().text
        elif self.token.kind == "keyword":
            while self.token.kind == "keyword":
                selector += self.step().text
                arguments.append(self.pragma_argument())
        elif self.token.kind == "binary":
            selector = self.step().text
            arguments.append(self.pragma_argument())
        else:
            raise self.fail("Message pattern expected")
        if not (self.token.kind == "binary" and self.token.text == ">"):
            raise self.fail("'>' expected")
        return PragmaNode(start, self.step().stop, selector, arguments)

    def pragma_argument(self) -> LiteralNode | VariableNode:
        """Parse a literal, or the variable for a primitive's error."""
        if self.token.kind == "name":
            return self.variable()
        if self.token.kind in ("literal", "number", "array"):
            return self.literal()
        raise self.fail("Literal constant expected")


BRACKETS: dict[str, Callable[[Parser], Node]] = {
    "(": Parser.parenthesized,
    "[": Parser.block,
    "{": Parser.brace_array,
}
