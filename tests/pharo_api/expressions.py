"""The grammar of statements and of the messages and values in them."""

from pharo_api.literals import read_byte_array, read_literal_array, read_number
from pharo_api.syntax_tree import (
    Assignment,
    Block,
    Brace,
    Cascade,
    Literal,
    Message,
    Node,
    Return,
    Send,
    Variable,
)
from pharo_api.tokens import TokenStream

RESERVED = frozenset({"self", "super", "nil", "true", "false", "thisContext", "thisProcess"})
CONSTANTS = frozenset({"true", "false", "nil"})


class ExpressionParser(TokenStream):
    """Reads statements and what they consist of, each from the current token on."""

    def statements(self) -> tuple[Node, ...]:
        """Statements up to a closing bracket of any kind, which is not read."""
        result: list[Node] = []
        while True:
            while self.kind == "period":
                self.advance()
            if self.kind in {"close", "end"}:
                return tuple(result)
            result.append(self.statement())
            if self.kind not in {"period", "close", "end"}:
                raise self.expected("a period or a message")

    def statement(self) -> Node:
        """``^ expression`` or an expression."""
        position = self.start
        if self.kind != "caret":
            return self.expression()
        self.advance()
        return Return(self.expression(), position)

    def expression(self) -> Node:
        """An assignment, a cascade, messages or a single value."""
        if self.kind == "name":
            start = self.start
            variable = self.name("a name")
            if self.kind == "assign":
                return self.assignment(variable)
            self.go_to(start)
        node = self.keyword_messages(self.primary())
        return self.cascade(node) if self.kind == "semicolon" else node

    def assignment(self, variable: Variable) -> Node:
        """``:= value``."""
        if variable.name in RESERVED:
            raise self.mistake(f"cannot assign to {variable.name}")
        self.advance()
        return Assignment(variable, self.expression())

    def cascade(self, first: Node) -> Node:
        """The further messages to the receiver of the first."""
        if not isinstance(first, Send):
            raise self.mistake("a cascade needs a message before the semicolon")
        messages = [first.message]
        while self.kind == "semicolon":
            self.advance()
            messages.append(self.cascaded())
            if self.kind in {"name", "binary", "keyword"}:
                raise self.mistake("expected ; or . after a cascaded message")
        return Cascade(first.receiver, tuple(messages))

    def cascaded(self) -> Message:
        """A message after a semicolon."""
        match self.kind:
            case "name":
                return self.unary()
            case "binary":
                return self.binary()
            case "keyword":
                return self.keyword()
            case _:
                raise self.expected("a message after the semicolon")

    def unary(self) -> Message:
        """``message``."""
        position = self.start
        return Message(self.advance(), (), position)

    def binary(self) -> Message:
        """``+ argument``."""
        position, selector = self.start, self.advance()
        return Message(selector, (self.unary_messages(self.primary()),), position)

    def keyword(self) -> Message:
        """``message: argument with: another``."""
        position, selector = self.start, ""
        arguments: list[Node] = []
        while self.kind == "keyword":
            selector += self.advance()
            arguments.append(self.binary_messages(self.primary()))
        return Message(selector, tuple(arguments), position)

    def unary_messages(self, node: Node) -> Node:
        """The unary messages to a receiver."""
        while self.kind == "name":
            node = Send(node, self.unary())
        return node

    def binary_messages(self, receiver: Node) -> Node:
        """The unary, then the binary messages to a receiver."""
        node = self.unary_messages(receiver)
        while self.kind == "binary":
            node = Send(node, self.binary())
        return node

    def keyword_messages(self, receiver: Node) -> Node:
        """The unary, then the binary messages, then the keyword message to a receiver."""
        node = self.binary_messages(receiver)
        return Send(node, self.keyword()) if self.kind == "keyword" else node

    def primary(self) -> Node:
        """A variable, a literal, or what is in brackets."""
        position, kind = self.start, self.kind
        match kind:
            case "name":
                name = self.advance()
                return Literal(name) if name in CONSTANTS else Variable(name, position)
            case "number":
                return read_number(self, "", position)
            case "string" | "symbol" | "character":
                self.advance()
                return Literal(kind)
            case "binary" if self.value == "-" and self.digit_follows():
                self.advance()
                return read_number(self, "-", position)
            case "open":
                return self.bracketed(self.advance())
            case _:
                raise self.expected("an expression")

    def bracketed(self, opening: str) -> Node:
        """What comes after an opening bracket, and the closing one."""
        match opening:
            case "#(":
                return read_literal_array(self)
            case "#[":
                return read_byte_array(self)
            case "(":
                node = self.expression()
                self.expect(")", "a closing parenthesis")
                return node
            case "{":
                elements = self.statements()
                self.expect("}", "a closing brace")
                return Brace(elements)
        return self.block()

    def block(self) -> Block:
        """What comes after ``[``, and the closing bracket."""
        arguments: list[Variable] = []
        temporaries: list[Variable] = []
        while self.kind == "colon":
            self.advance()
            arguments.append(self.name("a block argument"))
        if arguments and not self.is_bracket("]"):
            self.skip_operator("|", "expected | after the block arguments")
        while self.is_operator("|"):
            temporaries += self.temporaries()
        statements = self.statements()
        self.expect("]", "a closing bracket")
        return Block(tuple(arguments), tuple(temporaries), statements)

    def temporaries(self) -> list[Variable]:
        """``| a b |``."""
        self.go_to(self.start + 1)
        names = []
        while self.kind == "name":
            names.append(self.name("a name"))
        self.skip_operator("|", "expected | after the temporaries")
        return names

    def name(self, what: str) -> Variable:
        """A name; where there is none, the error says what it would be."""
        if self.kind != "name":
            raise self.expected(what)
        position = self.start
        return Variable(self.advance(), position)
