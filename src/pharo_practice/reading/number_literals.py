"""The values of number literals."""

from __future__ import annotations

import re
import sys
from fractions import Fraction
from functools import cache

from pharo_practice.reading.nodes import Scaled

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
