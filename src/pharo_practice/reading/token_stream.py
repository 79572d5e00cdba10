"""The tokens of one source text, with the limits on nesting and length."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pharo_practice.reading.nodes import VariableNode
from pharo_practice.reading.scanner import Scanner, Token

DEEPEST = 400
"""How many parentheses, blocks and arrays may be open at once, and how long a chain of messages may be."""
LONGEST_CHAIN = 5_000


class SyntaxFault(Exception):
    """The first syntax error in the source."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message, position)
        self.message = message
        self.position = position


class TokenStream:
    """The current token, and operations that move to the next one."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.scanner = Scanner(source)
        self.token = self.scanner.next()
        self.previous_stop = 0
        self.depth = 0

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

    @contextmanager
    def nested(self) -> Iterator[None]:
        """Enter one level of nesting, within the limit."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise SyntaxFault(f"Nested too deeply (more than {DEEPEST} levels)", self.token.start)
        yield
        self.depth -= 1

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
