"""Arithmetic that compiled code does without a send, as long as nobody redefines the selectors."""

from __future__ import annotations

import operator
from collections.abc import Callable

from pharo_practice.model.behavior import Value

ARITHMETIC: dict[str, Callable[[int, int], Value]] = {
    "+": operator.add,
    "-": operator.sub,
    "<": operator.lt,
    ">": operator.gt,
    "<=": operator.le,
    ">=": operator.ge,
    "=": operator.eq,
    "~=": operator.ne,
    "bitAnd:": operator.and_,
    "bitOr:": operator.or_,
    "bitXor:": operator.xor,
}
"""What is right for any two Python integers, small or large."""

HUGE = 1 << 1000

DIVISIONS: dict[str, Callable[[int, int], Value]] = {
    "//": operator.floordiv,
    "\\\\": operator.mod,
}
"""Right for integers unless the second is 0."""

FAST = frozenset({*ARITHMETIC, *DIVISIONS, "*"})
"""The selectors that code may compute without a send, as long as nobody redefines them."""
