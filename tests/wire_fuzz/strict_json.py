"""A strict reader of JSON for the oracle, which must not depend on the parser under test.

Source: RFC 8259. It uses a stack instead of recursion. If names are repeated, the last one counts.
"""

import re
from typing import Any, NamedTuple

TOKEN = re.compile(
    r"""[ \t\n\r]*(?:
        (?P<mark>[\[\]{}:,])
        |"(?P<text>(?:[^"\\\x00-\x1f]++|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*+)"
        |(?P<number>-?(?:0|[1-9][0-9]*+)(?P<fraction>\.[0-9]++)?(?P<exponent>[eE][+-]?[0-9]++)?)
        |(?P<word>true|false|null)
    )""",
    re.VERBOSE,
)
ESCAPE = re.compile(r'\\(?:u([0-9a-fA-F]{4})|(["\\/bfnrt]))')
ESCAPED = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}
WORDS = {"true": True, "false": False, "null": None}

DIGITS = 4300
"""The documented number of digits of an integer; the sign may or may not count."""
DEPTH = 200
"""Levels of nesting that are always read; deeper ones depend on the version of Python."""


class NotJson(Exception):
    """It is not JSON, or a number is larger than the documents allow."""


class Value(NamedTuple):
    """The value of a text; `certain` is false if the server may also refuse it."""

    value: Any
    certain: bool = True


class Open(NamedTuple):
    """An array or an object that is still being read."""

    items: list[Any]
    names: list[str] | None  # of an object

    def close(self) -> Any:
        """The value of the complete array or object."""
        return self.items if self.names is None else dict(zip(self.names, self.items, strict=True))


class Reader:
    """Reads one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self._certain = True

    def read(self) -> Value:
        """The only value in the text.

        Raises:
            NotJson: If it is not one value of JSON.
        """
        value = self._value()
        if self._text[self._at :].strip(" \t\n\r"):
            raise NotJson("there is more behind the value")
        return Value(value, self._certain)

    def _value(self) -> Any:
        stack: list[Open] = []
        token = self._next()
        while True:
            mark = token["mark"]
            if mark is not None and mark in "[{":
                stack.append(Open([], [] if mark == "{" else None))
                self._certain = self._certain and len(stack) <= DEPTH
                token = self._next()
                if token["mark"] != {"[": "]", "{": "}"}[mark]:
                    token = self._begin_item(stack[-1], token)
                    continue
                value = stack.pop().close()
            else:
                value = self._leaf(token)
            while True:
                if not stack:
                    return value
                stack[-1].items.append(value)
                token = self._next()
                is_array = stack[-1].names is None
                if token["mark"] == ",":
                    token = self._begin_item(stack[-1], self._next())
                    break
                if token["mark"] != ("]" if is_array else "}"):
                    raise NotJson("a comma is missing")
                value = stack.pop().close()

    def _begin_item(self, container: Open, token: re.Match[str]) -> re.Match[str]:
        """The first token of an item's value, after its name in an object."""
        if container.names is None:
            return token
        if token["text"] is None:
            raise NotJson("a name must be a string")
        container.names.append(unescaped(token["text"]))
        if self._next()["mark"] != ":":
            raise NotJson("a colon is missing")
        return self._next()

    def _leaf(self, token: re.Match[str]) -> Any:
        if token["text"] is not None:
            return unescaped(token["text"])
        if token["word"] is not None:
            return WORDS[token["word"]]
        if token["number"] is not None:
            return self._number(token)
        raise NotJson("a value is missing")

    def _number(self, token: re.Match[str]) -> int | float:
        digits = token["number"]
        if token["fraction"] is None and token["exponent"] is None:
            if len(digits.lstrip("-")) > DIGITS:
                raise NotJson("an integer is too long")
            self._certain = self._certain and len(digits) <= DIGITS
            return int(digits)
        number = float(digits)
        if number in (float("inf"), float("-inf")):
            raise NotJson("a number is too large")
        return number

    def _next(self) -> re.Match[str]:
        token = TOKEN.match(self._text, self._at)
        if token is None:
            raise NotJson(f"character {self._at} begins nothing")
        self._at = token.end()
        return token


def unescaped(text: str) -> str:
    """A string between its quotes, with pairs of surrogates as the one character that they are."""
    if "\\" not in text:
        return text
    text = ESCAPE.sub(lambda found: chr(int(found[1], 16)) if found[1] else ESCAPED[found[2]], text)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")


def as_written(value: Any) -> Any:
    """What the server writes for an id, with U+FFFD for unpaired surrogates: the same for several."""
    return re.sub("[\ud800-\udfff]", "\ufffd", value) if isinstance(value, str) else value


def read_json(line: bytes) -> Value:
    """The value of a line of UTF-8.

    Raises:
        NotJson: If it is not UTF-8 or not JSON.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise NotJson("it is not UTF-8") from error
    return Reader(text).read()
