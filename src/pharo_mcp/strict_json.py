"""Strict JSON: text to values, and back; what is written is valid Unicode.

The module `json` alone would accept `NaN`, and read `1e400` as infinity. It also imports `re` and `enum`, and
that would be half of the time until the first answer. So its parts in C are used here without it; where a
Python does not have them, or what they refuse is to be explained, `json` does the work.
"""

from collections.abc import Callable

BLANKS = " \t\n\r"
INFINITY = float("inf")
INTEGER_LIMIT = 4300
"""Digits of an integer: Python's own limit, since parsing takes quadratic time."""


def _integer(digits: str) -> int:
    if len(digits) > INTEGER_LIMIT:
        raise ValueError(f"an integer has more than {INTEGER_LIMIT} digits")
    return int(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    if abs(number) == INFINITY:
        raise ValueError("a number is too large")
    return number


def _reject_constant(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def _reject_object(value: object) -> object:
    raise TypeError(f"{type(value).__name__} has no JSON")


def read_with_json(text: str) -> object:
    """As `read`, by the module `json`."""
    from json import JSONDecoder

    rules = JSONDecoder(parse_int=_integer, parse_float=_finite, parse_constant=_reject_constant)
    return rules.decode(text)


def write_with_json(value: object) -> str:
    """As `write`, by the module `json`."""
    from json import JSONEncoder

    return JSONEncoder(allow_nan=False, separators=(",", ":"), default=_reject_object).encode(value)


class Rules:
    """What the scanner in C is told; the names are those of `json.JSONDecoder`."""

    strict = True
    object_hook = None
    object_pairs_hook = None
    array_hook = None
    parse_int = staticmethod(_integer)
    parse_float = staticmethod(_finite)
    parse_constant = staticmethod(_reject_constant)


ESCAPES = r"\\(?:ud[89ab]..\\ud[c-f]..|(ud[89a-f]..)|.)"
"""The escapes in JSON that is ASCII; the group is half of a surrogate pair without the other half."""
REPLACEMENT = r"\ufffd"


def _valid(text: str) -> str:
    """Replace unpaired surrogates, which strings of Python and JSON can have, and Unicode has not."""
    if r"\ud" not in text:
        return text
    import re  # here: hardly ever needed

    return re.sub(ESCAPES, lambda escape: REPLACEMENT if escape[1] else escape[0], text)


def _in_c() -> tuple[Callable[[str], object], Callable[[object], str]]:
    """Functions that read and write by the parts of `json` in C."""
    from _json import encode_basestring_ascii, make_encoder, make_scanner

    scan = make_scanner(Rules)  # type: ignore[arg-type]
    chunks = make_encoder(None, _reject_object, encode_basestring_ascii, None, ":", ",", False, False, False)

    def read(text: str) -> object:
        try:
            value, end = scan(text, len(text) - len(text.lstrip(BLANKS)))
        except StopIteration:
            return read_with_json(text)
        return read_with_json(text) if text[end:].strip(BLANKS) else value

    def write(value: object) -> str:
        return "".join(chunks(value, 0))

    return read, write


try:
    _read, _write = _in_c()
except (ImportError, TypeError, AttributeError):
    _read, _write = read_with_json, write_with_json


def read(text: str) -> object:
    """The value of a JSON text.

    Raises:
        ValueError: If it is not strict JSON; the message says why and where.
        RecursionError: If it is nested too deeply.
    """
    return _read(text)


def write(value: object) -> str:
    """A value as JSON, without blanks and in ASCII; U+FFFD stands for each unpaired surrogate.

    Raises:
        ValueError, TypeError, RecursionError: If it has no JSON.
    """
    return _valid(_write(value))
