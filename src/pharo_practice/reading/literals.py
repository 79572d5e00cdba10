"""Parsing literals, including nested ones."""

from __future__ import annotations

from pharo_practice.reading.nodes import LiteralNode, LiteralValue, Symbol
from pharo_practice.reading.token_stream import TokenStream

CLOSERS = frozenset(")]}")


class LiteralParser(TokenStream):
    """Parses literals."""

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
            with self.nested():
                return self.literal_array()
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
