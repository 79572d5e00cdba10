"""Bytes and characters: UTF-8, Base64 and hashes."""

from __future__ import annotations

import binascii
import re
import time

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PRIMITIVES, Primitive, PrimitiveFailed, primitive
from pharo_practice.model.object_memory import text_of
from pharo_practice.model.objects import Bytes, Value

MOST_ESCAPED = 1 << 20
"""Bytes that are percent-encoded at most: each becomes a string of its own on the way."""
BYTE_ORDER_MARK = "\ufeff"
DIGIT = re.compile(rb"[0-9]")


def bytes_of(value: Value) -> bytes:
    """The bytes of a byte array or of a Latin-1 string."""
    if not isinstance(value, Bytes):
        raise PrimitiveFailed
    return bytes(value.data)


def byte_array(vm: Machine, data: bytes) -> Bytes:
    """A Smalltalk ByteArray."""
    return Bytes(vm.classes["ByteArray"], bytearray(data))


ENCODINGS: dict[str, Primitive] = {
    "utf8Decode": lambda vm, _receiver, data: vm.string(bytes_of(data).decode().replace(BYTE_ORDER_MARK, "")),
    "utf8Encode": lambda vm, _receiver, text: byte_array(vm, text_of(text).encode()),
    "utf8EncodeReplacing": lambda vm, _receiver, text: byte_array(vm, vm.valid_text(text).encode()),
    "utf8Size": lambda vm, _receiver, text: len(text_of(text).encode()),
    "bytesAsInteger": lambda vm, receiver: int.from_bytes(bytes_of(receiver), "big"),
    "base64Encode": lambda vm, _receiver, data: vm.string(
        binascii.b2a_base64(bytes_of(data), newline=False).decode()
    ),
    "sha256": lambda vm, _receiver, data: _hash(vm, "sha256", data),
    "sha1": lambda vm, _receiver, data: _hash(vm, "sha1", data),
    "md5": lambda vm, _receiver, data: _hash(vm, "md5", data),
}
"""Conversions and hashes in one step. Byte order marks are dropped, as in Zinc. SHA-1 and MD5 are weak."""

PRIMITIVES.update(ENCODINGS)


@primitive("bytesBitXor")
def bytes_bit_xor(vm: Machine, receiver: Value, other: Value) -> Value:
    """The receiver, its bytes combined with those of another byte array as far as both go."""
    if not isinstance(other, Bytes) or other.cls is not vm.classes["ByteArray"]:
        raise PrimitiveFailed
    data = bytes_of(receiver)
    size = min(len(data), len(other.data))
    combined = int.from_bytes(data[:size], "big") ^ int.from_bytes(other.data[:size], "big")
    return Bytes(receiver.cls, bytearray(combined.to_bytes(size, "big") + data[size:]))


@primitive("base64Decode")
def base64_decode(vm: Machine, receiver: Value, text: Value) -> Value:
    """Decode Base64 to a ByteArray; white space is ignored."""
    return byte_array(vm, binascii.a2b_base64(b"".join(bytes_of(text).split()), strict_mode=True))


def _hash(vm: Machine, name: str, data: Value) -> Value:
    import hashlib  # here: it takes three megabytes, and few images need it

    return byte_array(vm, hashlib.new(name, bytes_of(data), usedforsecurity=False).digest())


DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


@primitive("httpDate")
def http_date(vm: Machine, _receiver: Value) -> Value:
    """The current time as an HTTP date: in English, whatever the locale is."""
    date = time.gmtime()
    day, month = DAYS[date.tm_wday], MONTHS[date.tm_mon - 1]
    return vm.string(time.strftime(f"{day}, %d {month} %Y %H:%M:%S GMT", date))


@primitive("capitalizeHeader")
def capitalize_header(vm: Machine, receiver: Value, name: Value) -> Value:
    """The name of an HTTP header in its usual case: a capital after everything but letters and digits."""
    if not isinstance(name, Bytes) or not name.data.isascii():
        raise PrimitiveFailed
    return Bytes(vm.classes["ByteString"], bytearray(capitalized(bytes(name.data))))


def capitalized(name: bytes) -> bytes:
    """An ASCII string with a capital after everything but letters and digits, and no other capitals."""
    if DIGIT.search(name) is None:
        return name.title()
    return re.sub(rb"[A-Za-z0-9]+", lambda word: word[0].capitalize(), name)  # ``title`` begins after a digit


@primitive("percentEncode")
def percent_encode(vm: Machine, receiver: Value, data: Value, safe: Value) -> Value:
    """A String in which every unsafe byte is percent-encoded."""
    plain, kept = bytes_of(data), bytes_of(safe)
    if len(plain) > MOST_ESCAPED:
        raise PrimitiveFailed
    return vm.string("".join(chr(byte) if byte in kept else f"%{byte:02X}" for byte in plain))
