"""Primitives of integers, and the arithmetic they share with floats."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable

from pharo_practice.machine.limits import SMALL
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import LARGEST, SMALLEST, Bytes, Character, Value
from pharo_practice.primitives.arguments import BYTE_STRINGS, integer, number

MOST_DIGITS = 400
MOST_BITS = 500_000
"""Larger integers are not computed: Python cannot be interrupted while it works on one."""

COUNTED_BITS = 8 * SMALL
"""Up to which an integer is not counted by itself."""

COMPARISONS: dict[str, Callable[[Value, Value], bool]] = {
    "Less": operator.lt,
    "Greater": operator.gt,
    "LessOrEqual": operator.le,
    "GreaterOrEqual": operator.ge,
    "Equal": operator.eq,
}


def _register_comparison(name: str, compare: Callable[[Value, Value], bool]) -> None:
    @primitive(f"number{name}")
    def comparison(_vm: Machine, receiver: int | float, other: Value) -> bool:
        return compare(receiver, number(other))


for _name, _compare in COMPARISONS.items():
    _register_comparison(_name, _compare)


@primitive("integerFromDigits")
def _integer_from_digits(_vm: Machine, _receiver: Value, text: Bytes, _failing: Value) -> int:
    """The integer that a string of some digits shows; fails for anything else in it."""
    if type(text) is not Bytes or text.cls.name not in BYTE_STRINGS or len(text.data) > MOST_DIGITS:
        raise PrimitiveFailed
    if not (text.data.isascii() and text.data.isdigit()):
        raise PrimitiveFailed
    return int(text.data)


@primitive("integerMin")
def _integer_min(vm: Machine, receiver: Value, other: Value) -> Value:
    """The lesser of two integers; fails where arithmetic selectors were redefined."""
    if type(receiver) is not int or type(other) is not int or vm.redefined:
        raise PrimitiveFailed
    return receiver if receiver < other else other


@primitive("integerMax")
def _integer_max(vm: Machine, receiver: Value, other: Value) -> Value:
    if type(receiver) is not int or type(other) is not int or vm.redefined:
        raise PrimitiveFailed
    return receiver if receiver > other else other


@primitive("integerAbs")
def _integer_abs(vm: Machine, receiver: Value) -> int:
    if type(receiver) is not int or vm.redefined:
        raise PrimitiveFailed
    return abs(receiver)


@primitive("integerBetween")
def _integer_between(vm: Machine, receiver: Value, least: Value, most: Value) -> bool:
    if vm.redefined:
        raise PrimitiveFailed
    if type(receiver) is type(least) is type(most) is int:
        return bool(least <= receiver <= most)
    if type(receiver) is type(least) is type(most) is Character:
        return bool(least.code <= receiver.code <= most.code)
    raise PrimitiveFailed


def as_float(value: float) -> float:
    """The nearest float; infinity if the number is too large."""
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


@primitive("numberAdd")
def _add(_vm: Machine, receiver: int | float, other: Value) -> Value:
    if type(receiver) is type(number(other)):
        return receiver + other
    return as_float(receiver) + as_float(other)


@primitive("numberSubtract")
def _subtract(_vm: Machine, receiver: int | float, other: Value) -> Value:
    if type(receiver) is type(number(other)):
        return receiver - other
    return as_float(receiver) - as_float(other)


@primitive("numberMultiply")
def _multiply(vm: Machine, receiver: int | float, other: Value) -> Value:
    if type(receiver) is type(number(other)):
        if type(receiver) is int and (bits := receiver.bit_length() + other.bit_length()) > COUNTED_BITS:
            _reserve_bits(vm, bits)
        return receiver * other
    return as_float(receiver) * as_float(other)


def _reserve_bits(vm: Machine, bits: int) -> None:
    """Reserve room for a large integer; fails if it is too large."""
    if bits > MOST_BITS:
        raise PrimitiveFailed
    vm.limits.reserve(bits // 8)


@primitive("numberDivide")
def _divide(_vm: Machine, receiver: int | float, other: Value) -> Value:
    """Divide integers if the result is exact; otherwise the method makes a fraction."""
    if number(other) == 0:
        raise PrimitiveFailed
    if type(receiver) is int and type(other) is int:
        quotient, rest = divmod(receiver, other)
        if rest:
            raise PrimitiveFailed
        return quotient
    return as_float(receiver) / as_float(other)


@primitive("integerFloorDivide")
def _floor_divide(_vm: Machine, receiver: int, other: Value) -> Value:
    if integer(other) == 0:
        raise PrimitiveFailed
    return receiver // other


@primitive("integerModulo")
def _modulo(_vm: Machine, receiver: int, other: Value) -> Value:
    if integer(other) == 0:
        raise PrimitiveFailed
    return receiver % other


@primitive("integerQuotient")
def _quotient(_vm: Machine, receiver: int, other: Value) -> Value:
    """Divide and truncate toward zero."""
    if integer(other) == 0:
        raise PrimitiveFailed
    magnitude = abs(receiver) // abs(other)
    return magnitude if (receiver < 0) == (other < 0) else -magnitude


@primitive("integerGcd")
def _gcd(_vm: Machine, receiver: int, other: Value) -> Value:
    return math.gcd(receiver, integer(other))


@primitive("integerBitAnd")
def _bit_and(_vm: Machine, receiver: int, other: Value) -> int:
    return receiver & integer(other)


@primitive("integerBitOr")
def _bit_or(_vm: Machine, receiver: int, other: Value) -> int:
    return receiver | integer(other)


@primitive("integerBitXor")
def _bit_xor(_vm: Machine, receiver: int, other: Value) -> int:
    return receiver ^ integer(other)


@primitive("integerBitShift")
def _bit_shift(vm: Machine, receiver: int, places: Value) -> Value:
    if (bits := integer(places) + receiver.bit_length()) > COUNTED_BITS:
        _reserve_bits(vm, bits)
    return receiver << places if places >= 0 else receiver >> -places


@primitive("integerHighBit")
def _high_bit(_vm: Machine, receiver: int) -> int:
    return receiver.bit_length()


@primitive("integerAsFloat")
def _as_float(_vm: Machine, receiver: int) -> float:
    return as_float(receiver)


@primitive("integerSqrtFloor")
def _sqrt_floor(_vm: Machine, receiver: int) -> int:
    if receiver < 0:
        raise PrimitiveFailed
    return math.isqrt(receiver)


DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@primitive("integerPrintString")
def _print_string(vm: Machine, receiver: int, base: Value) -> Value:
    if not 2 <= integer(base) <= 36 or receiver.bit_length() > MOST_BITS:
        raise PrimitiveFailed
    return vm.string(in_base(receiver, base))


def in_base(value: int, base: int) -> str:
    """The digits of an integer, halving it so that long ones take less than quadratic time."""
    if base == 10 and value.bit_length() < 10_000:
        return str(value)
    if value < 0:
        return "-" + in_base(-value, base)
    powers = [base]
    while powers[-1] <= value:
        powers.append(powers[-1] ** 2)
    return _digits(value, base, powers, len(powers) - 1).lstrip("0") or "0"


def _digits(value: int, base: int, powers: list[int], level: int) -> str:
    if level == 0:
        return DIGITS[value]
    high, low = divmod(value, powers[level - 1])
    return _digits(high, base, powers, level - 1) + _digits(low, base, powers, level - 1)


@primitive("integerNumberOfDigits")
def _number_of_digits(_vm: Machine, receiver: int, base: Value) -> int:
    """How many digits a small integer has in a base up to 36, without its sign."""
    if not SMALLEST <= receiver <= LARGEST or not 2 <= integer(base) <= 36:
        raise PrimitiveFailed
    return len(in_base(abs(receiver), base))


@primitive("integerHash")
def _integer_hash(_vm: Machine, receiver: int) -> int:
    return hash_integer(receiver)


def hash_integer(value: int) -> int:
    """Pharo's hash of a small integer, extended to large ones."""
    return value * 1664525 & 0xFFFFFFF


@primitive("hashMultiply")
def _hash_multiply(_vm: Machine, receiver: int) -> int:
    return hash_integer(receiver)
