"""Smalltalk source as tokens, with the values of literals. A malformed token has the kind ``error``."""

from __future__ import annotations

import re
import sys
from fractions import Fraction
from functools import cache

from pharo_practice.reading.nodes import CharacterCode, CommentNode, LiteralValue, Scaled, Symbol

RADIX = re.compile(r"-?(\d+)r-?")
DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
MOST_DIGITS = 100_000
sys.set_int_max_str_digits(MOST_DIGITS)  # Python's own limit is far below that of Smalltalk
LARGEST_EXPONENT = 10_000


@cache
def number_pattern(radix: int, *, has_radix: bool) -> re.Pattern[str]:
    """The pattern of a number in base ``radix``; letters are digits in either case."""
    digit = f"[{DIGITS[:radix]}{DIGITS[:radix].lower()}]"
    return re.compile(
        rf"-?{r'(?P<radix>[0-9]+)r(?P<sign>-?)' if has_radix else ''}"
        rf"(?P<whole>{digit}+)(?:\.(?P<places>{digit}+))?"
        r"(?:[edq](?P<exponent>-?\d+)|s(?P<scale>\d*)(?![A-Za-z_]))?",
        re.ASCII,
    )


def highest_digit(radix: int) -> str:
    """The largest digit of this radix."""
    return DIGITS[min(radix, len(DIGITS)) - 1]


def number_value(match: re.Match[str]) -> int | float | Scaled | str:
    """The value of a match of a ``number_pattern``, or the description of its error."""
    if len(match[0]) > MOST_DIGITS:
        return f"a number of at most {MOST_DIGITS} digits expected in the practice image"
    parts = match.groupdict()
    if match.lastgroup == "whole" and "radix" not in parts:
        return int(match[0])
    radix = int(parts.get("radix") or 10)
    exponent = int(match["exponent"] or 0)
    if abs(exponent) > LARGEST_EXPONENT:
        return "an exponent of at most 10000 expected in the practice image"
    places = match["places"] or ""
    exact = Fraction(_integer(match["whole"] + places, radix), radix ** len(places))
    if match[0].startswith("-") is not bool(parts.get("sign")):
        exact = -exact
    if match["scale"] is not None:
        return Scaled(exact, int(match["scale"] or len(places)))
    if places:
        return _float(match, exact * Fraction(radix) ** exponent, radix)
    return _integer_or_float(exact.numerator, radix, exponent)


def _integer(digits: str, radix: int) -> int:
    """The integer in a radix; above 36 there are no digits for the largest values."""
    if radix <= len(DIGITS):
        return int(digits, radix)
    value = 0
    for digit in digits:
        value = value * radix + int(digit, 36)
    return value


def _integer_or_float(whole: int, radix: int, exponent: int) -> int | float:
    """An integer, or a float if the exponent requires it, computed in the same steps as in Pharo."""
    scale: int = radix ** abs(exponent)
    if exponent >= 0:
        return whole * scale
    if whole % scale == 0:
        return whole // scale
    power = 1.0
    for bit in bin(-exponent)[2:]:
        power *= power
        if bit == "1":
            power *= radix
    try:
        return float(whole) * (1.0 / power)
    except OverflowError:
        return float("inf") if whole > 0 else float("-inf")


def _float(match: re.Match[str], exact: Fraction, radix: int) -> float:
    if radix == 10 and "radix" not in match.groupdict():
        return float(match[0].replace("d", "e").replace("q", "e"))
    try:
        return float(exact)
    except OverflowError:
        return float("inf") if exact > 0 else float("-inf")


BINARY = r"[!%&*+,\-/<=>?@\\~|\u00a1\u00ac\u00b1\u00b7\u00d7\u00f7]"
TOKEN = re.compile(
    rf"(?P<blank>\s*)(?:(?P<word>[^\W\d]\w*(?P<colon>:(?!=))?)"
    r"|(?P<number>-?\d)"
    r"|(?P<assign>:=)"
    rf"|(?P<binary>{BINARY}+)"
    r"|(?P<special>[().:;\[\]{}^])"
    r"|(?P<string>'[^']*(?:''[^']*)*')"
    r"|\#+(?:(?P<symbol>(?:[^\W\d]\w*:?|:)+)"
    rf"|(?P<operator>{BINARY}+)|(?P<quoted>'[^']*(?:''[^']*)*')|(?P<array>[(\[]))"
    r"|\$(?P<character>.))",
    re.DOTALL,
)
BLANK = re.compile(r"\s*")
COMMENT = re.compile(r'"([^"]*(?:""[^"]*)*)"\s*')
WORDS_IN_ARRAY = re.compile(r"(?:[^\W\d]\w*:?|:(?!=))+")
WORDS = frozenset({"word", "colon"})
NAMED = {"nil": None, "true": True, "false": False}


class Token:
    """A token. ``kind`` is one of the names in ``Scanner.next``.

    ``text`` is the source of names, operators and punctuation; of an error the cause, ``location`` then
    says where it shows. ``value`` is that of a literal.
    """

    def __init__(
        self, kind: str, text: str, start: int, stop: int, value: LiteralValue = None, location: int = 0
    ) -> None:
        self.kind, self.text, self.start, self.stop = kind, text, start, stop
        self.value, self.location = value, location


class Scanner:
    """Reads one source text token by token, and keeps its comments."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.position = 0
        self.in_array = False
        """Whether words are symbols, as they are within a literal array."""
        self.comments: list[CommentNode] = []

    def next(self) -> Token:
        """The next token.

        Kinds: name, keyword, binary, special, assign, literal, number, array (``#(`` or ``#[``), error, end.
        """
        match = TOKEN.match(self.source, self.position)
        if match is None:
            return self._next_after_comments()
        kind, start = match.lastgroup or "", match.end("blank")
        if kind in WORDS:
            if self.in_array:
                return self._word_in_array(start)
            self.position = match.end()
            return self._word(match["word"], start + 1, self.position)
        if kind == "number" or (kind == "binary" and self._is_negative_number(start)):
            return self._number(start)
        self.position = match.end()
        return self._token(kind, match, start + 1)

    def _next_after_comments(self) -> Token:
        """The token behind comments, the end, or what is no token."""
        before = self.position
        error = self._skip_blanks()
        if error is not None:
            return error
        if self.position >= len(self.source):
            return Token("end", "", self.position + 1, self.position)
        if self.position > before and TOKEN.match(self.source, self.position) is not None:
            return self.next()
        return self._malformed(self.position)

    def _token(self, kind: str, match: re.Match[str], start: int) -> Token:
        text, stop = match[kind], match.end()
        match kind:
            case "string":
                return Token("literal", text, start, stop, text[1:-1].replace("''", "'"))
            case "symbol" | "operator":
                return Token("literal", text, start, stop, Symbol(text))
            case "quoted":
                return Token("literal", text, start, stop, Symbol(text[1:-1].replace("''", "'")))
            case "character":
                return Token("literal", text, start, stop, CharacterCode(ord(text)))
            case "binary" if self.in_array:
                return Token("literal", text, start, stop, Symbol(text))
            case "array":
                return Token("array", "#" + text, start, stop)
        return Token(kind, text, start, stop)

    def _word(self, text: str, start: int, stop: int) -> Token:
        if text[-1] == ":":
            return Token("keyword", text, start, stop)
        if text in NAMED:
            return Token("literal", text, start, stop, NAMED[text])
        return Token("name", text, start, stop)

    def _word_in_array(self, start: int) -> Token:
        match = WORDS_IN_ARRAY.match(self.source, start)
        assert match is not None  # noqa: S101  (the caller has seen a letter)
        self.position = match.end()
        text = match[0]
        value = NAMED[text] if text in NAMED else Symbol(text)
        return Token("literal", text, start + 1, match.end(), value)

    def _skip_blanks(self) -> Token | None:
        source = self.source
        blank = BLANK.match(source, self.position)
        assert blank is not None  # noqa: S101  (there may be none to skip)
        position = blank.end()
        while source.startswith('"', position):
            comment = COMMENT.match(source, position)
            if comment is None:
                self.position = len(source)
                return self._error('Unmatched " in comment.', position, len(source))
            self.comments.append(CommentNode(position + 1, comment.end(1) + 1, comment[1].replace('""', '"')))
            position = comment.end()
        self.position = position
        return None

    def _is_negative_number(self, start: int) -> bool:
        return self.source[start] == "-" and self.source[start + 1 : start + 2].isdigit()

    def _number(self, start: int) -> Token:
        prefix = RADIX.match(self.source, start)
        radix = int(prefix[1]) if prefix is not None else 10
        if prefix is not None and radix < 2:
            self.position = prefix.end()
            return self._error("an integer greater than 1 as valid radix expected", start, start)
        match = number_pattern(min(radix, 36), has_radix=prefix is not None).match(self.source, start)
        if match is None and prefix is not None:
            return self._without_digits(prefix, radix)
        if match is None:  # a digit that is not one of 0 to 9
            return self._malformed(start)
        self.position = match.end()
        text = match[0]
        value = number_value(match)
        if isinstance(value, str):
            return self._error(value, start, start)
        return Token("number", text, start + 1, match.end(), value)

    def _without_digits(self, prefix: re.Match[str], radix: int) -> Token:
        self.position = prefix.end()
        return self._error(
            f"a digit between 0 and {highest_digit(radix)} expected", prefix.start(), prefix.end()
        )

    def _malformed(self, start: int) -> Token:
        source, size = self.source, len(self.source)
        rest = source[start:].lstrip("#")
        if rest.startswith("'"):
            self.position = size
            return self._error("Unmatched ' in string literal.", start, size)
        if source[start] == "$":
            self.position = size
            return self._error("Character expected", start, size)
        if source[start] == "#":
            self.position = size - len(rest)
            return self._error("Literal expected", start, self.position)
        self.position = start + 1
        return self._error("Unknown character", start, start)

    def _error(self, cause: str, start: int, location: int) -> Token:
        return Token("error", cause, start + 1, self.position, location=location + 1)
