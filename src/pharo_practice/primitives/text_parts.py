"""Parts of strings of bytes: without blanks around them, a line, the number in them."""

from __future__ import annotations

import re

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.behavior import Behavior, Value
from pharo_practice.model.objects import Bytes, Character
from pharo_practice.primitives.arguments import BYTE_STRINGS

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
def string_with(vm: Machine, receiver: Behavior, *characters: Value) -> Bytes:
    """A string of characters that need a byte each."""
    if receiver.name not in ("String", "ByteString") or any(
        type(each) is not Character for each in characters
    ):
        raise PrimitiveFailed
    return _string(vm, bytes(each.code for each in characters))


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
