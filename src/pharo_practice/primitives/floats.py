"""Primitives of floats, and how they print."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable
from fractions import Fraction

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import Value
from pharo_practice.primitives.arguments import integer
from pharo_practice.primitives.numbers import hash_integer


@primitive("floatTruncated")
def _truncated(_vm: Machine, receiver: float) -> int:
    if not math.isfinite(receiver):
        raise PrimitiveFailed
    return math.trunc(receiver)


@primitive("floatFractionPart")
def _fraction_part(_vm: Machine, receiver: float) -> float:
    return math.modf(receiver)[0]


@primitive("floatAsExactRatio")
def _exact_ratio(vm: Machine, receiver: float) -> Value:
    if not math.isfinite(receiver):
        raise PrimitiveFailed
    return vm.array(list(receiver.as_integer_ratio()))


@primitive("floatExponent")
def _exponent(_vm: Machine, receiver: float) -> int:
    if receiver == 0 or not math.isfinite(receiver):
        raise PrimitiveFailed
    return math.frexp(receiver)[1] - 1


@primitive("floatTimesTwoPower")
def _times_two_power(_vm: Machine, receiver: float, exponent: Value) -> float:
    try:
        return math.ldexp(receiver, integer(exponent))
    except OverflowError:
        return math.copysign(math.inf, receiver)


def _register_function(name: str, function: Callable[[float], float]) -> None:
    @primitive(f"float{name}")
    def apply(_vm: Machine, receiver: float) -> float:
        try:
            return function(receiver)
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf


for _name, _function in {
    "Sqrt": math.sqrt,
    "Sin": math.sin,
    "ArcTan": math.atan,
    "Exp": math.exp,
}.items():
    _register_function(_name, _function)


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
    bits: int = _bits(vm, receiver)
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


@primitive("floatPrintString")
def _float_print_string(vm: Machine, receiver: float) -> Value:
    return vm.string(print_float(receiver))


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
