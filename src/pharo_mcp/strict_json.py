"""Strict JSON: text to values, and back; what is written is valid Unicode.

The module `json` alone accepts `NaN`, reads `1e400` as infinity, and writes unpaired surrogates.
"""

import json
import math
import re

INTEGER_LIMIT = 4300
"""Digits of an integer: Python's own limit, since parsing takes quadratic time."""

ESCAPES = re.compile(r"\\(?:ud[89ab]..\\ud[c-f]..|(ud[89a-f]..)|.)")
"""The escapes in JSON that is ASCII; the group is half of a surrogate pair without the other half."""
REPLACEMENT = r"\ufffd"


def read(text: str) -> object:
    """Return the value of a JSON text.

    Raises:
        ValueError: If it is not strict JSON; the message says why and where.
        RecursionError: If it is nested too deeply.
    """
    return _DECODER.decode(text)


def write(value: object) -> str:
    """Return a value as JSON, without blanks and in ASCII; U+FFFD stands for each unpaired surrogate.

    Raises:
        ValueError, TypeError, RecursionError: If it has no JSON.
    """
    text = _ENCODER.encode(value)
    if r"\ud" not in text:
        return text
    return ESCAPES.sub(lambda escape: REPLACEMENT if escape[1] else escape[0], text)


def _integer(digits: str) -> int:
    if len(digits) > INTEGER_LIMIT:
        raise ValueError(f"an integer has more than {INTEGER_LIMIT} digits")
    return int(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError("a number is too large")
    return number


def _reject_constant(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def _reject_object(value: object) -> object:
    raise TypeError(f"{type(value).__name__} has no JSON")


_DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_finite, parse_constant=_reject_constant)
_ENCODER = json.JSONEncoder(
    allow_nan=False, check_circular=False, separators=(",", ":"), default=_reject_object
)
