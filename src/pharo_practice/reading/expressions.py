"""Parsing statements and expressions by recursive descent."""

from __future__ import annotations

from collections.abc import Callable

from pharo_practice.reading.literals import CLOSERS, LiteralParser
from pharo_practice.reading.nodes import (
    ArrayNode,
    AssignmentNode,
    BlockNode,
    CascadeNode,
    MessageNode,
    Node,
    ReturnNode,
    VariableNode,
)
from pharo_practice.reading.token_stream import DEEPEST, SyntaxFault


class ExpressionParser(LiteralParser):
    """Parses the body of a method."""

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
        start, selector = self.token.start, ""
        arguments: list[Node] = []
        while self.token.kind == "keyword":
            selector += self.step().text
            arguments.append(self.binary_message(self.unary_messages(self.primary())))
        return MessageNode(receiver.start, self.previous_stop, receiver, selector, arguments, start)

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
        return MessageNode(
            receiver.start, self.previous_stop, receiver, operator.text, [argument], operator.start
        )

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
        return MessageNode(receiver.start, token.stop, receiver, token.text, [], token.start)

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
                with self.nested():
                    return BRACKETS[token.text](self)
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


BRACKETS: dict[str, Callable[[ExpressionParser], Node]] = {
    "(": ExpressionParser.parenthesized,
    "[": ExpressionParser.block,
    "{": ExpressionParser.brace_array,
}
