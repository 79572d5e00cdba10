"""Primitives of integers and floats: arithmetic, and how they print."""

from __future__ import annotations

import math
import operator
import struct
from collections.abc import Callable
from fractions import Fraction

from pharo_practice.machine.limits import SMALL
from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PRIMITIVES, Primitive, PrimitiveFailed, primitive
from pharo_practice.model.objects import Character, Value
from pharo_practice.primitives.arguments import integer, number

MOST_BITS = 500_000
"""Larger integers are not computed: Python cannot be interrupted while it works on one."""

COUNTED_BITS = 8 * SMALL
"""Up to which an integer is not counted by itself."""


@primitive("integerBetween")
def _integer_between(_vm: Machine, receiver: Value, least: Value, most: Value) -> bool:
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


def _arithmetic(compute: Callable[[Value, Value], Value]) -> Primitive:
    def apply(_vm: Machine, receiver: int | float, other: Value) -> Value:
        if type(receiver) is type(number(other)):
            return compute(receiver, other)
        return compute(as_float(receiver), as_float(other))

    return apply


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
    if type(receiver) is int and type(other) is int:
        quotient, rest = divmod(receiver, other)
        if rest:
            raise PrimitiveFailed
        return quotient
    return as_float(receiver) / as_float(number(other))


@primitive("integerQuotient")
def _quotient(_vm: Machine, receiver: int, other: Value) -> Value:
    """Divide and truncate toward zero."""
    magnitude = abs(receiver) // abs(integer(other))
    return magnitude if (receiver < 0) == (other < 0) else -magnitude


def _real(function: Callable[[float], float]) -> Primitive:
    """A function of real numbers: not a number where it has no value, infinity where that is too large."""

    def apply(_vm: Machine, receiver: float) -> float:
        try:
            return function(receiver)
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf

    return apply


NUMBERS: dict[str, Primitive] = {
    "numberAdd": _arithmetic(operator.add),
    "numberSubtract": _arithmetic(operator.sub),
    "numberLess": lambda _vm, one, other: one < number(other),
    "numberGreater": lambda _vm, one, other: one > number(other),
    "numberLessOrEqual": lambda _vm, one, other: one <= number(other),
    "numberGreaterOrEqual": lambda _vm, one, other: one >= number(other),
    "numberEqual": lambda _vm, one, other: one == number(other),
    "integerFloorDivide": lambda _vm, number, other: number // integer(other),
    "integerModulo": lambda _vm, number, other: number % integer(other),
    "integerGcd": lambda _vm, number, other: math.gcd(number, integer(other)),
    "integerBitAnd": lambda _vm, number, other: number & integer(other),
    "integerBitOr": lambda _vm, number, other: number | integer(other),
    "integerBitXor": lambda _vm, number, other: number ^ integer(other),
    "integerHighBit": lambda _vm, number: number.bit_length(),
    "integerAsFloat": lambda _vm, number: as_float(number),
    "integerHash": lambda _vm, number: hash_integer(number),
    "hashMultiply": lambda _vm, number: hash_integer(number),
    "floatTruncated": lambda _vm, number: math.trunc(number),
    "floatAsExactRatio": lambda vm, number: vm.array(list(number.as_integer_ratio())),
    "floatSqrt": _real(math.sqrt),
    "floatSin": _real(math.sin),
    "floatArcTan": _real(math.atan),
    "floatExp": _real(math.exp),
    "floatFractionPart": lambda _vm, number: math.modf(number)[0],
    "floatPrintString": lambda vm, number: vm.string(print_float(number)),
}
"""Arithmetic in one step."""

PRIMITIVES.update(NUMBERS)


@primitive("integerBitShift")
def _bit_shift(vm: Machine, receiver: int, places: Value) -> Value:
    if (bits := integer(places) + receiver.bit_length()) > COUNTED_BITS:
        _reserve_bits(vm, bits)
    return receiver << places if places >= 0 else receiver >> -places


DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
FORMATS = {2: "b", 8: "o", 10: "d", 16: "X"}


@primitive("integerPrintString")
def _print_string(vm: Machine, receiver: int, base: Value) -> Value:
    if not 2 <= integer(base) <= 36 or receiver.bit_length() > MOST_BITS:
        raise PrimitiveFailed
    return vm.string(in_base(receiver, base))


def hash_integer(value: int) -> int:
    """Pharo's hash of a small integer, extended to large ones."""
    return value * 1664525 & 0xFFFFFFF


def in_base(value: int, base: int) -> str:
    """The digits of an integer; Python has the usual bases."""
    if base in FORMATS:
        return format(value, FORMATS[base])
    digits, rest = "", abs(value)
    while rest or not digits:
        rest, digit = divmod(rest, base)
        digits = DIGITS[digit] + digits
    return "-" + digits if value < 0 else digits


@primitive("floatExponent")
def _exponent(_vm: Machine, receiver: float) -> int:
    if receiver == 0 or not math.isfinite(receiver):
        raise PrimitiveFailed
    return math.frexp(receiver)[1] - 1


@primitive("floatLn")
def _ln(_vm: Machine, receiver: float) -> float:
    if receiver == 0:
        return -math.inf
    return math.log(receiver) if receiver > 0 else math.nan


@primitive("floatHash")
def _float_hash(vm: Machine, receiver: float) -> int:
    """The hash of the equal integer, or else one of the middle bytes of both halves."""
    if receiver.is_integer():
        return hash_integer(int(receiver))
    bits = _bits(vm, receiver)
    return ((bits >> 32 & 0x00FFFF00) + (bits & 0x00FFFF00)) >> 8


@primitive("floatBits")
def _bits(_vm: Machine, receiver: float) -> int:
    return int.from_bytes(struct.pack(">d", receiver), "big")


@primitive("floatSingleBits")
def _single_bits(_vm: Machine, receiver: float) -> int:
    """The bits of the nearest 32-bit float; those of infinity if the number is too large."""
    try:
        packed = struct.pack(">f", receiver)
    except OverflowError:
        packed = struct.pack(">f", math.copysign(math.inf, receiver))
    return int.from_bytes(packed, "big")


@primitive("floatFromBits")
def _from_bits(_vm: Machine, _receiver: Value, bits: Value) -> float:
    found: float = struct.unpack(">d", integer(bits).to_bytes(8, "big"))[0]
    return found


def print_float(value: float) -> str:
    """The shortest text that reads back as the same float, in Pharo's layout."""
    if math.isnan(value):
        return "Float nan"
    if math.isinf(value):
        return "Float infinity" if value > 0 else "Float negativeInfinity"
    sign = "-" if math.copysign(1, value) < 0 else ""
    if value == 0:
        return sign + "0.0"
    mantissa, exponent = (
        f"{abs(value)!r}e0".split("e")[:2] if "e" not in repr(value) else repr(abs(value)).split("e")
    )
    whole, _, places = mantissa.partition(".")
    digits = (whole + places).lstrip("0").rstrip("0") or "0"
    scale = int(exponent) + (len(whole) if whole != "0" else -(len(places) - len(places.lstrip("0"))))
    if -3 <= scale <= 6:
        if scale <= 0:
            return f"{sign}0.{'0' * -scale}{digits}"
        return f"{sign}{digits[:scale].ljust(scale, '0')}.{digits[scale:] or '0'}"
    return f"{sign}{digits[0]}.{digits[1:] or '0'}e{scale - 1}"


@primitive("fractionAsFloat")
def _fraction_as_float(_vm: Machine, _receiver: Value, numerator: Value, denominator: Value) -> float:
    try:
        return float(Fraction(integer(numerator), integer(denominator)))
    except OverflowError:
        return math.inf if (numerator > 0) == (denominator > 0) else -math.inf
