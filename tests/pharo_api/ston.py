"""STON as far as it is used in Tonel: maps, lists, strings, symbols and words."""

import re
from typing import NamedTuple, TypeAlias

from pharo_api.tokens import SmalltalkSyntaxError

Ston: TypeAlias = "str | list[Ston] | dict[str, Ston] | None"

TOKEN = re.compile(
    r"\s*(?:(?P<string>'(?:\\.|[^'\\])*')|(?P<symbol>#(?:'[^']*'|[\w.\-/]+))"
    r"|(?P<punctuation>[{}\[\],:])|(?P<word>[\w.+-]+))",
    re.DOTALL,
)


class Token(NamedTuple):
    """A word of STON."""

    kind: str
    text: str
    position: int

    def is_mark(self, mark: str) -> bool:
        """Whether it is this punctuation mark."""
        return self.kind == "punctuation" and self.text == mark


class StonReader:
    """Reads a map at a position of a text; ``position`` is then the end of it."""

    def __init__(self, text: str, position: int) -> None:
        self.text, self.position = text, position

    def map(self) -> dict[str, Ston]:
        """The map whose brace comes next, as a dict with plain names as keys."""
        self._token()
        return self._map()

    def _token(self) -> Token:
        match = TOKEN.match(self.text, self.position)
        if match is None:
            raise SmalltalkSyntaxError("malformed STON header", self.position)
        self.position = match.end()
        kind = match.lastgroup or ""
        return Token(kind, match[kind], match.start(kind))

    def _value(self, token: Token) -> Ston:
        match token.kind:
            case "string":
                return re.sub(r"\\(.)", r"\1", token.text[1:-1])
            case "symbol":
                return token.text[1:].strip("'")
            case "word":
                return None if token.text == "nil" else token.text
        if token.text == "{":
            return self._map()
        if token.text == "[":
            return self._list()
        raise SmalltalkSyntaxError(f"unexpected {token.text} in the STON header", token.position)

    def _map(self) -> dict[str, Ston]:
        result: dict[str, Ston] = {}
        while not (token := self._token()).is_mark("}"):
            if token.is_mark(","):
                continue
            key = self._value(token)
            if not self._token().is_mark(":"):
                raise SmalltalkSyntaxError("expected : in the STON header", self.position)
            if not isinstance(key, str):
                raise SmalltalkSyntaxError("expected a name in the STON header", token.position)
            result[key] = self._value(self._token())
        return result

    def _list(self) -> list[Ston]:
        result: list[Ston] = []
        while not (token := self._token()).is_mark("]"):
            if not token.is_mark(","):
                result.append(self._value(token))
        return result
