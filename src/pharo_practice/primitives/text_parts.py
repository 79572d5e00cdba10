"""Parts of strings of bytes: without blanks around them, a line, the number in them."""

from __future__ import annotations

import re

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import Behavior, Bytes, Character, ConstantClosure, Value
from pharo_practice.primitives.arguments import BYTE_STRINGS, class_name
from pharo_practice.primitives.strings import find_first_in_set

MAPS = {"CharacterSet": 0, "CharacterSetComplement": 1}
"""Classes of sets of characters, and their fields with a byte for each character of one byte."""
MAKERS = frozenset({"String", "ByteString"})
"""The classes whose new strings are strings of bytes."""
SEPARATORS = b" \t\n\r\f"
LINE = re.compile(rb"([^\r\n]*)(\r\n|\r|\n|$)")
INTEGER = re.compile(rb"-?[0-9]+")


def _data(vm: Machine, string: Value) -> bytearray:
    """The bytes of a string, after reserving memory for a copy."""
    if type(string) is not Bytes or string.cls.name not in BYTE_STRINGS:
        raise PrimitiveFailed
    vm.limits.reserve(len(string.data))
    return string.data


def _string(vm: Machine, data: bytes | bytearray) -> Bytes:
    return Bytes(vm.classes["ByteString"], bytearray(data))


@primitive("stringWith")
def string_with(vm: Machine, receiver: Behavior, one: Character) -> Bytes:
    """A string of one character that needs one byte."""
    if receiver.name not in MAKERS or type(one) is not Character:
        raise PrimitiveFailed
    return _string(vm, bytes([one.code]))


@primitive("stringCrLf")
def string_cr_lf(vm: Machine, receiver: Behavior) -> Bytes:
    """The line end of Internet protocols."""
    if receiver.name not in MAKERS:
        raise PrimitiveFailed
    return _string(vm, b"\r\n")


@primitive("stringTrimBoth")
def string_trim_both(vm: Machine, receiver: Bytes) -> Bytes:
    """A copy without the separators at its ends."""
    return _string(vm, _data(vm, receiver).strip(SEPARATORS))


@primitive("stringLineNumber")
def string_line_number(vm: Machine, receiver: Bytes, number: int) -> Bytes | None:
    """A line without its end; nil if there are not so many."""
    data = _data(vm, receiver)
    for count, found in enumerate(LINE.finditer(data), start=1):
        if found.start() == len(data):
            break
        if count == number:
            return _string(vm, found[1])
    return None


@primitive("stringAsInteger")
def string_as_integer(vm: Machine, receiver: Bytes) -> int | None:
    """The number that the first digits stand for; nil if there are none."""
    found = INTEGER.search(_data(vm, receiver))
    return int(found[0]) if found else None


@primitive("stringIndexOfAnyOf")
def string_index_of_any_of(
    vm: Machine, receiver: Value, characters: Value, start: Value, absent: Value = 0
) -> Value:
    """The index at or after ``start`` of the first character in a set, else the value for none."""
    place = MAPS.get(class_name(characters))
    if place is None or type(start) is not int:
        raise PrimitiveFailed
    index = find_first_in_set(vm, None, receiver, characters.fields[place], start)
    if index or type(absent) is int:
        return index or absent
    if type(absent) is not ConstantClosure:
        raise PrimitiveFailed
    return absent.value
