"""Strings and symbols: elements, comparison, search, cases."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from zlib import crc32

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.object_memory import text_of
from pharo_practice.model.objects import Behavior, Bytes, Character, Value, Words, character
from pharo_practice.primitives.arguments import BYTE_STRINGS, STRINGS, codes_of
from pharo_practice.primitives.characters import lowercase, uppercase
from pharo_practice.primitives.objects import new_instance

SELECTOR = re.compile(rb"[A-Za-z_]\w*|(?:[A-Za-z_]\w*:)+|(?P<binary>[-+/\\*~<>=@,%|&?!]+)")

LINE_ENDING = re.compile(rb"\r\n|\r|\n")
INTEGER = re.compile(rb"-?[0-9]+")

STRING_HASH = 0xFFFFFFF
"""The bits of the hash of a string: so many of the checksum of its characters in UTF-8."""


def _byte_table(convert: Callable[[str], str]) -> bytes:
    """A translation table of Latin-1; characters whose result needs more than a byte stay."""
    codes = (ord(convert(chr(code))) for code in range(256))
    return bytes(new if new < 256 else old for old, new in enumerate(codes))


LOWERCASE = _byte_table(lowercase)
UPPERCASE = _byte_table(uppercase)
WIDER_IN_UPPERCASE = "ßµÿ".encode("latin-1")


@primitive("stringAt")
def string_at(vm: Machine, receiver: Value, index: Value) -> Value:
    """The character at an index; fails if there is none."""
    if type(index) is not int or index < 1:
        raise PrimitiveFailed
    return character(codes_of(receiver)[index - 1])


@primitive("stringAtPut")
def string_at_put(vm: Machine, receiver: Value, index: Value, value: Value) -> Value:
    """Store a character; fails if the index is out of bounds or the character is too wide."""
    codes = codes_of(receiver)
    if type(index) is not int or not 1 <= index <= len(codes) or type(value) is not Character:
        raise PrimitiveFailed
    if type(receiver) is Bytes and value.code > 255:
        raise PrimitiveFailed
    codes[index - 1] = value.code
    return value


@primitive("stringFind")
def string_find(vm: Machine, receiver: Value, key: Value, start: Value, case_sensitive: Value) -> Value:
    """The index of a substring at or after ``start``; 0 if there is none, or if it is empty."""
    if type(start) is not int or type(case_sensitive) is not bool or key.cls.name not in STRINGS:
        raise PrimitiveFailed
    sought = codes_of(key)
    if not sought:
        return 0
    if type(receiver) is Bytes and type(key) is Bytes:
        return _find_bytes(receiver.data, key.data, start, is_exact=case_sensitive)
    body, part = text_of(receiver), text_of(key)
    if not case_sensitive:
        body, part = lowercase(body), lowercase(part)
    return body.find(part, max(start, 1) - 1) + 1


def _find_bytes(body: bytearray, part: bytearray, start: int, *, is_exact: bool) -> int:
    if not is_exact:
        body, part = body.translate(LOWERCASE), part.translate(LOWERCASE)
    return body.find(part, max(start, 1) - 1) + 1


@primitive("stringIndexOf")
def string_index_of(vm: Machine, receiver: Value, code: Value, string: Value, start: Value) -> Value:
    """The index of a code at or after ``start``; 0 if there is none."""
    if type(code) is not int or type(start) is not int or start < 1:
        raise PrimitiveFailed
    codes = codes_of(string)
    if isinstance(codes, bytearray):
        return codes.find(code, start - 1) + 1 if 0 <= code < 256 else 0
    try:
        return codes.index(code, start - 1) + 1
    except ValueError:
        return 0


@primitive("stringFindFirstInSet")
def find_first_in_set(_vm: Machine, _receiver: Value, text: Bytes, included: Bytes, start: int) -> int:
    """The first index from ``start`` of a character whose entry in the map is not 0; 0 if there is none."""
    if type(text) is not Bytes or type(included) is not Bytes or len(included.data) != 256 or start < 1:
        raise PrimitiveFailed
    found = _any_of(bytes(included.data)).search(text.data, start - 1)
    return found.start() + 1 if found else 0


@lru_cache
def _any_of(included: bytes) -> re.Pattern[bytes]:
    """The pattern of the bytes whose entry in a map is not 0."""
    codes = bytes(code for code, is_included in enumerate(included) if is_included)
    return re.compile(b"[" + re.escape(codes) + b"]" if codes else b"(?!)")


@primitive("stringHash")
def string_hash(vm: Machine, receiver: Value) -> int:
    """A number of 28 bits, the same for equal strings of any class."""
    if type(receiver) is Bytes and receiver.data.isascii():
        return crc32(receiver.data) & STRING_HASH
    try:
        data = text_of(receiver).encode("utf-8", "surrogatepass")
    except UnicodeDecodeError:  # a character beyond Unicode
        data = bytes(codes_of(receiver))
    return crc32(data) & STRING_HASH


@primitive("stringAsLowercase")
def string_as_lowercase(vm: Machine, receiver: Value) -> Value:
    """A new string in small letters."""
    if type(receiver) is Bytes:
        return Bytes(vm.classes["ByteString"], bytearray(receiver.data.translate(LOWERCASE)))
    return vm.string(lowercase(text_of(receiver)))


@primitive("stringAsUppercase")
def string_as_uppercase(vm: Machine, receiver: Value) -> Value:
    """A new string in capital letters."""
    if type(receiver) is Bytes and not any(code in receiver.data for code in WIDER_IN_UPPERCASE):
        return Bytes(vm.classes["ByteString"], bytearray(receiver.data.translate(UPPERCASE)))
    return vm.string(uppercase(text_of(receiver)))


@primitive("stringWithLineEndings")
def string_with_line_endings(vm: Machine, receiver: Value, ending: Value) -> Value:
    """The string with this line ending instead of CR, LF or CR LF."""
    if receiver.cls.name != "ByteString" or ending.cls.name != "ByteString":
        raise PrimitiveFailed
    return Bytes(receiver.cls, bytearray(LINE_ENDING.sub(lambda _: ending.data, receiver.data)))


@primitive("stringAsInteger")
def string_as_integer(vm: Machine, receiver: Value) -> int | None:
    """The number that the first digits stand for; nil if there are none."""
    if receiver.cls.name not in BYTE_STRINGS:
        raise PrimitiveFailed
    found = INTEGER.search(receiver.data)
    return int(found[0]) if found else None


@primitive("stringNumArgs")
def string_num_args(vm: Machine, receiver: Value) -> int:
    """The number of arguments of the string as a selector, -1 if it is not a selector; fails beyond ASCII."""
    codes = codes_of(receiver)
    if not isinstance(codes, bytes | bytearray) or not codes.isascii():
        raise PrimitiveFailed
    found = SELECTOR.fullmatch(codes)
    if found is None:
        return -1
    return 1 if found["binary"] else codes.count(b":")


@primitive("stringNew")
def string_new(vm: Machine, receiver: Behavior, size: Value) -> Value:
    """A new string of bytes, if the receiver is ``String``."""
    if receiver.name not in ("String", "ByteString") or type(size) is not int:
        raise PrimitiveFailed
    return new_instance(vm, vm.classes["ByteString"], size)


@primitive("symbolIntern")
def symbol_intern(vm: Machine, receiver: Value, string: Value) -> Value:
    """The one symbol with these characters."""
    return vm.symbol(text_of(string))


@primitive("symbolFind")
def symbol_find(vm: Machine, receiver: Value, string: Value) -> Value:
    """The existing symbol with these characters, or nil."""
    text = text_of(string)
    if text not in vm.symbols and names_something(vm, text):
        return vm.symbol(text)
    return vm.symbols.get(text)


def names_something(vm: Machine, text: str) -> bool:
    """Whether a class or a method has this name, although its symbol may not have been created yet."""
    return text in vm.classes or any(
        text in each.methods or text in each.cls.methods for each in vm.classes.values()
    )


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


@primitive("stringCompare")
def string_compare(_vm: Machine, _receiver: Value, one: Value, other: Value, order: Value) -> int:
    """-1, 0 or 1 by the order, a table of 256 bytes; wider strings are compared in Smalltalk."""
    if one.cls.name not in BYTE_STRINGS or other.cls.name not in BYTE_STRINGS:
        raise PrimitiveFailed
    left, right = (each.data.translate(order.data[:256]) for each in (one, other))
    return int(left > right) - int(left < right)


@primitive("stringBeginsWith")
def string_begins_with(_vm: Machine, receiver: Value, prefix: Value) -> bool:
    """Compare two strings of bytes by their codes; others are compared in Smalltalk."""
    if receiver.cls.name not in BYTE_STRINGS or prefix.cls.name not in BYTE_STRINGS:
        raise PrimitiveFailed
    return bool(receiver.data.startswith(prefix.data))
