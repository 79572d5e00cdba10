r"""STON, in which Tonel describes classes and methods: maps, lists, strings, symbols, numbers, constants.

Source: STONReader. It is not Smalltalk: a quote in a string is written ``\'``.
"""

from __future__ import annotations

import re
from typing import TypeAlias

StonValue: TypeAlias = "str | int | float | bool | list[StonValue] | dict[str, StonValue] | None"
"""What a text in STON stands for; symbols are strings."""

BLANK = re.compile(r"\s*")
VALUE = re.compile(
    r"""(?P<string>\#?'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|\#(?P<symbol>[\w./-]+)"""
    r"""|(?P<number>-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?P<constant>true|false|null|nil)\b|(?P<opener>[\[{])""",
    re.DOTALL,
)
ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|(.))", re.DOTALL)
ESCAPED = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", **{each: each for each in "'\"/\\"}}
CONSTANTS: dict[str, StonValue] = {"true": True, "false": False, "null": None, "nil": None}
DEEPEST = 50
"""How many lists and maps may be inside one another."""


class StonError(Exception):
    """A text that is not STON; ``position`` is the index of what is wrong."""

    def __init__(self, message: str, position: int) -> None:
        super().__init__(message)
        self.position = position


class StonReader:
    """Reads values one after the other; ``position`` is the index behind what was read."""

    def __init__(self, text: str, position: int) -> None:
        self.text = text
        self.position = position
        self.depth = 0

    def map(self) -> tuple[dict[str, StonValue], dict[str, int]]:
        """The next value, which must be a map, and where each of its keys begins.

        Raises:
            StonError: If something else is there.
        """
        values: dict[str, StonValue] = {}
        positions: dict[str, int] = {}
        self._expect("{")
        if self._skip("}"):
            return values, positions
        while True:
            position = self._after_blanks()
            key = self.value()
            if not isinstance(key, str):
                raise StonError("a name expected", position)
            self._expect(":")
            positions[key], values[key] = position, self.value()
            if self._skip("}"):
                return values, positions
            self._expect(",", "}")

    def value(self) -> StonValue:
        """The next value of any kind.

        Raises:
            StonError: If there is none.
        """
        position = self._after_blanks()
        match = VALUE.match(self.text, position)
        if match is None:
            self._refuse_open_string(position)
            raise StonError("a value expected", position)
        kind, found = match.lastgroup, match[0]
        if kind == "opener":
            return self._nested(found)
        self.position = match.end()
        if kind == "string":
            return self._unescaped(found.lstrip("#")[1:-1], position)
        if kind == "symbol":
            return match["symbol"]
        if kind == "constant":
            return CONSTANTS[found]
        return float(found) if set(found) & set(".eE") else int(found)

    def _nested(self, opener: str) -> StonValue:
        """The list or map that begins here."""
        self.depth += 1
        if self.depth > DEEPEST:
            raise StonError(f"nested too deeply (more than {DEEPEST} levels)", self.position)
        value = self._list() if opener == "[" else self.map()[0]
        self.depth -= 1
        return value

    def _list(self) -> list[StonValue]:
        values: list[StonValue] = []
        self._expect("[")
        if self._skip("]"):
            return values
        while True:
            values.append(self.value())
            if self._skip("]"):
                return values
            self._expect(",", "]")

    def _unescaped(self, text: str, position: int) -> str:
        """The characters that a string stands for; two surrogates are one character."""
        if "\\" not in text:
            return text

        def character(match: re.Match[str]) -> str:
            if match[1]:
                return chr(int(match[1], 16))
            if match[2] not in ESCAPED:
                raise StonError(f"\\{match[2]} is not an escape in a string", position)
            return ESCAPED[match[2]]

        try:
            return ESCAPE.sub(character, text).encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError:
            raise StonError("half of a surrogate pair in a string", position) from None

    # punctuation

    def _after_blanks(self) -> int:
        """Move to the next character that is not blank, and return its index."""
        match = BLANK.match(self.text, self.position)
        assert match is not None  # noqa: S101 - it matches nothing, too
        self.position = match.end()
        return self.position

    def _skip(self, mark: str) -> bool:
        """Move behind a mark, if it is next; whether it was."""
        position = self._after_blanks()
        if not self.text.startswith(mark, position):
            return False
        self.position += 1
        return True

    def _expect(self, *marks: str) -> None:
        """Move behind the first of the marks, which must be next."""
        if not self._skip(marks[0]):
            self._refuse_doubled_quote()
            raise StonError(f"{' or '.join(repr(mark) for mark in marks)} expected", self.position)

    def _refuse_doubled_quote(self) -> None:
        if self.position and self.text[self.position - 1 : self.position + 1] == "''":
            raise StonError("a quote in a string is written \\', not ''", self.position)

    def _refuse_open_string(self, position: int) -> None:
        if self.text.startswith(("'", '"', "#'"), position):
            raise StonError("the end of this string is missing", position)
