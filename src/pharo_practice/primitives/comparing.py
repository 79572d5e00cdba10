"""Comparison of strings: equality, order, prefixes and substrings."""

from __future__ import annotations

import operator
from array import array
from collections.abc import Callable

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import Bytes, Value, Words
from pharo_practice.primitives.arguments import BYTE_STRINGS, codes_of
from pharo_practice.primitives.strings import LOWERCASE


def _is_string(vm: Machine, value: Value) -> bool:
    return type(value) in (Bytes, Words) and value.cls.inherits_from(vm.classes["String"])


@primitive("stringEqual")
def string_equal(vm: Machine, receiver: Bytes | Words, other: Value) -> Value:
    """Whether the other is a string or symbol with the same characters."""
    if receiver is other:
        return True
    if type(other) not in (Bytes, Words) or len(other.data) != len(receiver.data):
        return False
    same = (
        receiver.data == other.data
        if type(receiver) is type(other)
        else list(receiver.data) == list(other.data)
    )
    return same and (other.cls is receiver.cls or _is_string(vm, other))


@primitive("bytesEqual")
def bytes_equal(vm: Machine, receiver: Bytes | Words, other: Value) -> Value:
    """Whether two byte arrays of one class hold the same bytes; fails for two classes."""
    if type(other) is not Bytes or other.cls is not receiver.cls:
        raise PrimitiveFailed
    return receiver.data == other.data


@primitive("stringCompare")
def string_compare(vm: Machine, receiver: Value, one: Value, other: Value, order: Value) -> Value:
    """-1, 0 or 1 by the order, a table of 256 bytes; wider characters compare by their codes."""
    if not (_is_string(vm, one) and _is_string(vm, other)):
        raise PrimitiveFailed
    return _compared(codes_of(one), codes_of(other), _table(order))


@primitive("stringCompareWith")
def string_compare_with(vm: Machine, receiver: Bytes | Words, other: Value, order: Value) -> Value:
    """The same for the receiver and any object of bytes."""
    if type(other) is not Bytes:
        raise PrimitiveFailed
    return _compared(receiver.data, other.data, _table(order))


def _table(order: Value) -> bytearray:
    """The bytes by which characters are ordered."""
    if type(order) is not Bytes or len(order.data) < 256:
        raise PrimitiveFailed
    return order.data[:256]


def _compared(left: bytearray | array[int], right: bytearray | array[int], table: bytearray) -> int:
    if isinstance(left, bytearray) and isinstance(right, bytearray):
        return _sign(left.translate(table), right.translate(table))
    return _sign(_ordered(left, table), _ordered(right, table))


def _ordered(codes: bytearray | array[int], table: bytearray) -> list[int]:
    return [table[code] if code < 256 else code for code in codes]


def _sign(left: Value, right: Value) -> int:
    return int(left > right) - int(left < right)


def _bytes_of(value: Value) -> bytearray:
    """The codes of a string of bytes; others are compared in Smalltalk."""
    if type(value) is not Bytes or value.cls.name not in BYTE_STRINGS:
        raise PrimitiveFailed
    return value.data


def _comparison(compare: Callable[[bytearray, bytearray], bool]) -> Callable[..., bool]:
    """Compare two strings of bytes by their codes."""

    def compare_strings(_vm: Machine, receiver: Value, other: Value) -> bool:
        return compare(_bytes_of(receiver), _bytes_of(other))

    return compare_strings


primitive("stringLess")(_comparison(operator.lt))
primitive("stringLessOrEqual")(_comparison(operator.le))
primitive("stringGreater")(_comparison(operator.gt))
primitive("stringGreaterOrEqual")(_comparison(operator.ge))
primitive("stringBeginsWith")(_comparison(lambda body, part: body.startswith(part)))
primitive("stringEndsWith")(_comparison(lambda body, part: body.endswith(part)))
primitive("stringIncludesSubstring")(_comparison(operator.contains))


@primitive("stringSameAs")
def string_same_as(_vm: Machine, receiver: Value, other: Value) -> bool:
    """Whether two strings of bytes differ at most in upper and lower case."""
    one, another = _bytes_of(receiver), _bytes_of(other)
    return len(one) == len(another) and one.translate(LOWERCASE) == another.translate(LOWERCASE)
