"""Indexed collections: copying many elements at once, and drawing bytes."""

from __future__ import annotations

import uuid
from typing import TYPE_CHECKING

from pharo_standin.objects import Bytes, Pointers, Value, Words
from pharo_standin.primitive import PrimitiveFailed, primitive

if TYPE_CHECKING:
    from collections.abc import MutableSequence

    from pharo_standin.machine import Machine


def _elements(value: Value) -> tuple[MutableSequence[Value], int]:
    """What holds the indexed elements of a value, and how much of something else comes first."""
    if type(value) is Bytes or type(value) is Words:
        return value.data, 0
    if type(value) is Pointers and value.cls.kind in ("variable", "weak"):
        return value.fields, value.cls.instance_size
    raise PrimitiveFailed


@primitive("replaceElements")
def replace_elements(
    vm: Machine,
    receiver: Value,
    start: Value,
    stop: Value,
    replacement: Value,
    replacement_start: Value,
) -> Value:
    """Copy elements of one collection over another's; fails where kinds or bounds do not fit."""
    if not type(start) is type(stop) is type(replacement_start) is int:
        raise PrimitiveFailed
    count = stop - start + 1
    if count <= 0:
        return receiver
    ours, our_offset = _elements(receiver)
    theirs, their_offset = _elements(replacement)
    last = replacement_start + count - 1
    if (
        start < 1
        or stop > len(ours) - our_offset
        or replacement_start < 1
        or last > len(theirs) - their_offset
    ):
        raise PrimitiveFailed
    copied = theirs[their_offset + replacement_start - 1 : their_offset + last]
    if type(receiver) is not type(replacement):
        copied = _converted(receiver, copied)
    ours[our_offset + start - 1 : our_offset + stop] = copied
    return receiver


def _converted(receiver: Value, codes: MutableSequence[Value]) -> MutableSequence[Value]:
    """Codes of a narrow string for a wide one, or the other way round where they fit."""
    match receiver:
        case Words() if isinstance(codes, bytes | bytearray):
            return type(receiver.data)("I", list(codes))
        case Bytes() if not isinstance(codes, list | tuple) and max(codes) < 256:
            return bytearray(list(codes))
        case _:
            raise PrimitiveFailed


@primitive("uuidFill")
def uuid_fill(vm: Machine, receiver: Value) -> Value:
    """Fill a byte array of 16 with a new random UUID, from the operating system's own source."""
    if type(receiver) is not Bytes or len(receiver.data) != 16:
        raise PrimitiveFailed
    receiver.data[:] = uuid.uuid4().bytes
    return receiver
