"""The grammar of methods: a pattern, pragmas, temporaries and statements, by recursive descent.

The practice image has a parser of its own. This one shares nothing with it, so that a mistake in the
one is not overlooked by the other.
"""

from pharo_api.expressions import RESERVED, ExpressionParser
from pharo_api.syntax_tree import Body, Pattern, Variable


class Parser(ExpressionParser):
    """Reads the parts of a method, each from the current token on."""

    def pattern(self) -> Pattern:
        """A method's selector and the names of its arguments."""
        position = self.start
        if self.kind == "name":
            return Pattern(self.advance(), (), position)
        if self.kind == "binary":
            return Pattern(self.advance(), (self.name("an argument name"),), position)
        selector, arguments = "", []
        while self.kind == "keyword":
            selector += self.advance()
            arguments.append(self.name("an argument name"))
        if not selector:
            raise self.mistake("expected a method pattern")
        return Pattern(selector, tuple(arguments), position)

    def body(self) -> Body:
        """Temporaries, pragmas and statements, up to the closing bracket, which is not read."""
        temporaries: list[Variable] = []
        error_codes: list[Variable] = []
        while self.is_operator("|<"):
            if self.is_operator("|"):
                temporaries += self.temporaries()
            else:
                error_codes += self.pragma()
        return Body(tuple(temporaries), tuple(error_codes), self.statements())

    def pragma(self) -> list[Variable]:
        """``<name: literal ...>``; answers the variables that it declares (a primitive's error code)."""
        self.go_to(self.start + 1)
        declared: list[Variable] = []
        if self.kind == "name":
            self.advance()
        elif self.kind == "keyword":
            while self.kind == "keyword":
                declared += self.pragma_argument(self.advance())
        else:
            raise self.mistake("expected a pragma")
        self.skip_operator(">", "expected > at the end of the pragma")
        return declared

    def pragma_argument(self, keyword: str) -> list[Variable]:
        """A literal, a name or a selector; answers the variable that it declares, if it does."""
        if self.kind in {"name", "symbol"} and self.value not in RESERVED:
            position, name = self.start, self.advance().lstrip("#")
            return [Variable(name, position)] if keyword == "error:" else []
        if self.kind == "binary" and self.value[0] != "-":
            self.advance()
        else:
            self.primary()
        return []
