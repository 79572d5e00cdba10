"""Parsing of methods and expressions, with Pharo's own texts of errors.

The first syntax error ends parsing: no tree is returned, and the error is a notice.
"""

from __future__ import annotations

import sys

from pharo_practice.reading.expressions import ExpressionParser
from pharo_practice.reading.nodes import LiteralNode, MethodNode, Notice, PragmaNode, VariableNode
from pharo_practice.reading.token_stream import SyntaxFault

PYTHON_FRAMES = 20_000
"""Room for Python to follow what is nested that deeply; frames of Python code are not on C's stack."""


def parse_source(source: str, *, is_doit: bool) -> tuple[MethodNode | None, Notice | None]:
    """The tree of a method or of expressions, or the notice that explains why there is none."""
    if sys.getrecursionlimit() < PYTHON_FRAMES:
        sys.setrecursionlimit(PYTHON_FRAMES)
    parser = Parser(source)
    try:
        return (parser.doit() if is_doit else parser.method()), None
    except SyntaxFault as fault:
        return None, Notice(fault.message, fault.position, is_syntax_error=True)


class Parser(ExpressionParser):
    """Parses a method, or expressions to evaluate."""

    def __init__(self, source: str) -> None:
        super().__init__(source)
        self.pragmas: list[PragmaNode] = []

    def method(self) -> MethodNode:
        """Parse a method with its pattern."""
        start = self.token.start
        selector, arguments = self.pattern()
        node = MethodNode(start, 0, selector, arguments, [], [])
        self.pragma_list()
        return self.body_into(node)

    def doit(self) -> MethodNode:
        """Parse expressions to evaluate."""
        return self.body_into(MethodNode(1, 0, "DoIt", [], [], [], is_doit=True))

    def body_into(self, node: MethodNode) -> MethodNode:
        """Parse temporaries, pragmas and statements to the end of the source."""
        node.temporaries = self.temporaries()
        self.pragma_list()
        node.statements = self.statements("")
        node.pragmas = self.pragmas
        node.comments = self.scanner.comments
        node.source = self.source
        node.stop = len(self.source)
        return node

    def pattern(self) -> tuple[str, list[VariableNode]]:
        """Parse the selector and the names of the arguments."""
        token = self.token
        if token.kind == "name" or (token.kind == "literal" and token.text in ("nil", "true", "false")):
            return self.step().text, []
        if token.kind == "binary":
            return self.step().text, [self.variable()]
        if token.kind != "keyword":
            raise self.fail("Message pattern expected")
        selector, arguments = "", []
        while self.token.kind == "keyword":
            selector += self.step().text
            arguments.append(self.variable())
        return selector, arguments

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
