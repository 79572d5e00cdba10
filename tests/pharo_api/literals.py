"""Numbers, byte arrays and literal arrays: which kind of literal a text is, and whether it is well formed."""

import re

from pharo_api.syntax_tree import Literal
from pharo_api.tokens import TokenStream

FIRST_LARGE_INTEGER = 2**60
EXPONENT = re.compile("[edq]")


def read_number(tokens: TokenStream, sign: str, position: int) -> Literal:
    """The number that is the current token."""
    text = tokens.advance()
    digits = text.replace("_", "")
    try:
        kind = radix_kind(sign + text, digits) if "r" in digits else decimal_kind(sign, digits)
    except ValueError as error:
        raise tokens.mistake(str(error), position) from None
    return Literal(kind)


def radix_kind(text: str, digits: str) -> str:
    """The kind of a number with a radix.

    Raises:
        ValueError: If the radix or a digit is out of its range; the message says which.
    """
    radix, _, rest = digits.partition("r")
    base = int(radix)
    if not 2 <= base <= 36:
        raise ValueError(f"radix {radix} is not between 2 and 36")
    mantissa = rest.split("e")[0] if base < 15 or rest != rest.lower() else rest
    if any(int(digit, 36) >= base for digit in re.sub("[-.]", "", mantissa)):
        raise ValueError(f"{text} has a digit too large for its radix")
    if "." in rest:
        return "float"
    return "integer" if len(rest) < 12 else "number"


def decimal_kind(sign: str, digits: str) -> str:
    """The kind of a number without a radix; ``number`` where that takes computing."""
    if "s" in digits:
        return "scaled"
    if "." in digits:
        return "float"
    if EXPONENT.search(digits):
        return "number"
    if int(digits) < FIRST_LARGE_INTEGER:
        return "integer"
    return "number" if sign else "large"


def read_byte_array(tokens: TokenStream) -> Literal:
    """The bytes after ``#[``, and the closing bracket."""
    while tokens.kind == "number":
        if not is_byte(tokens.value):
            raise tokens.mistake("expected a byte (0 to 255)")
        tokens.advance()
    tokens.expect("]", "a byte or a closing bracket")
    return Literal("bytes")


def is_byte(text: str) -> bool:
    """Whether a number is one of 0 to 255."""
    radix, _, digits = text.rpartition("r")
    try:
        return digits.isalnum() and int(digits, int(radix or 10)) <= 255
    except ValueError:
        return False


def read_literal_array(tokens: TokenStream) -> Literal:
    """The elements after ``#(``, and the closing parenthesis."""
    while not tokens.is_bracket(")"):
        if tokens.kind in {"end", "close"}:
            raise tokens.mistake(f"unterminated literal array, found {tokens.value[:30]!r}")
        if tokens.kind == "open":
            read_nested(tokens)
        else:
            tokens.advance()
    tokens.advance()
    return Literal("array")


def read_nested(tokens: TokenStream) -> None:
    """An array within a literal array, with or without its ``#``."""
    here = tokens.start
    match tokens.advance():
        case "(" | "#(":
            read_literal_array(tokens)
        case "[" | "#[":
            read_byte_array(tokens)
        case _:
            raise tokens.mistake("unexpected { in a literal array", here)
