"""The tokens of a text, from an offset of it on."""

import re

BINARY = r"-+*/\\~<>=@,%|&?!\u00ac\u00b1\u00d7\u00f7\u00b7"
BLANKS_AND_COMMENTS = re.compile(r'(?:[\s\ufeff]+|"[^"]*")*')
TOKEN = re.compile(
    r"(?P<keyword>[^\W\d]\w*:(?!=))"
    r"|(?P<name>[^\W\d]\w*)"
    r"|(?P<assign>:=)"
    r"|(?P<number>\d+r-?[0-9A-Za-z]+(?:\.[0-9A-Z]+)?(?:e-?\d+)?"
    r"|\d[\d_]*(?:\.\d[\d_]*)?(?:[edq]-?\d+)?(?:s\d*(?!\w))?)"
    r"|(?P<string>'(?:[^']|'')*')"
    r"|(?P<open>\#+[(\[]|[(\[{])"
    r"|(?P<close>[)\]}])"
    rf"|(?P<symbol>\#+(?:'(?:[^']|'')*'|[^\W\d]\w*(?::[^\W\d]\w*)*(?::(?!=))*|[{BINARY}]+|(?::[^\W\d]\w*)+))"
    r"|(?P<character>\$.)"
    r"|(?P<caret>\^)|(?P<period>\.)|(?P<semicolon>;)|(?P<colon>:)"
    rf"|(?P<binary>[{BINARY}]+)",
    re.DOTALL,
)
UNTERMINATED = {'"': "unterminated comment", "'": "unterminated string"}


class SmalltalkSyntaxError(Exception):
    """A syntax error at an offset of the text."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


class TokenStream:
    """A text and its current token: ``kind`` is a group of ``TOKEN`` or ``end``, ``value`` its text."""

    def __init__(self, text: str, position: int = 0) -> None:
        self.text = text
        self.go_to(position)

    def go_to(self, position: int) -> None:
        """Make the token at or after a position the current one."""
        self.start = skip_blanks(self.text, position)
        match = TOKEN.match(self.text, self.start)
        if match is not None:
            self.kind, self.value, self.end = match.lastgroup or "", match.group(), match.end()
            self._trim()
        elif self.start >= len(self.text):
            self.kind, self.value, self.end = "end", "end of file", self.start
        else:
            character = self.text[self.start]
            raise self.mistake(UNTERMINATED.get(character, f"unexpected character {character!r}"))

    def _trim(self) -> None:
        if self.kind == "open":
            self.value = self.value[-2:]  # ##( is #(
        elif self.kind == "binary" and len(self.value) > 1 and self.value[-1] == "-" and self.digit_follows():
            self.value, self.end = self.value[:-1], self.end - 1  # 3--4 is 3 - -4

    def advance(self) -> str:
        """Go to the next token; answer what the current one was."""
        value = self.value
        self.go_to(self.end)
        return value

    def mistake(self, message: str, position: int | None = None) -> SmalltalkSyntaxError:
        """A syntax error to raise, at the current token where no position is given."""
        return SmalltalkSyntaxError(message, self.start if position is None else position)

    def expected(self, what: str) -> SmalltalkSyntaxError:
        """A syntax error that says what should be here, and what is."""
        return self.mistake(f"expected {what}, found {self.value[:30]!r}")

    def expect(self, bracket: str, what: str) -> None:
        """Go past a closing bracket."""
        if not self.is_bracket(bracket):
            raise self.expected(what)
        self.advance()

    def is_bracket(self, value: str) -> bool:
        """Whether the current token is this bracket."""
        return self.kind in {"open", "close"} and self.value == value

    def is_operator(self, characters: str) -> bool:
        """Whether the current token is an operator that begins with one of these characters."""
        return self.kind == "binary" and self.value[0] in characters

    def skip_operator(self, character: str, message: str) -> None:
        """Go past one character of an operator; ``||`` is two bars."""
        if not self.is_operator(character):
            raise self.mistake(message)
        self.go_to(self.start + 1)

    def digit_follows(self) -> bool:
        """Whether there is a digit right after the current token."""
        return self.text[self.end : self.end + 1].isdigit()


def skip_blanks(text: str, position: int) -> int:
    """The end of the blanks and comments at a position."""
    match = BLANKS_AND_COMMENTS.match(text, position)
    return match.end() if match is not None else position
