"""Strings, symbols and characters: what would be far too slow character by character in Smalltalk."""

from __future__ import annotations

import unicodedata
import zlib
from typing import TYPE_CHECKING

from pharo_standin.objects import Bytes, Character, Value, Words, character
from pharo_standin.primitive import PrimitiveFailed, primitive

if TYPE_CHECKING:
    from array import array

    from pharo_standin.machine import Machine

LARGEST_CODE = (1 << 30) - 1


def _text(value: Value) -> str:
    """The characters of a string, symbol or byte array."""
    if type(value) is Bytes:
        return value.data.decode("latin-1")
    if type(value) is Words:
        return "".join(map(_chr, value.data))
    raise PrimitiveFailed


def _chr(code: int) -> str:
    if code > 0x10FFFF:
        raise PrimitiveFailed
    return chr(code)


def _codes(value: Value) -> bytearray | array[int]:
    """The codes of a string, symbol or byte array, as they are stored."""
    if type(value) is Bytes or type(value) is Words:
        return value.data
    raise PrimitiveFailed


def _is_string(vm: Machine, value: Value) -> bool:
    return type(value) in (Bytes, Words) and value.cls.inherits_from(vm.classes["String"])


def _other_case(text: str, convert: str) -> str:
    """Each character in the other case, where that is one character again, as Unicode's simple mapping."""
    whole: str = getattr(text, convert)()
    if len(whole) == len(text):
        return whole
    each = (getattr(one, convert)() for one in text)
    return "".join(new if len(new) == 1 else old for old, new in zip(text, each, strict=True))


def _byte_table(convert: str) -> bytes:
    """A translation of Latin-1 that leaves alone what would need more than a byte."""
    codes = (ord(_other_case(chr(code), convert)) for code in range(256))
    return bytes(new if new < 256 else old for old, new in enumerate(codes))


LOWERCASE = _byte_table("lower")
UPPERCASE = _byte_table("upper")


@primitive("stringAt")
def string_at(vm: Machine, receiver: Value, index: Value) -> Value:
    """The character at an index; fails where there is none."""
    if type(index) is not int or index < 1:
        raise PrimitiveFailed
    codes = _codes(receiver)
    if index > len(codes):
        raise PrimitiveFailed
    return character(codes[index - 1])


@primitive("stringAtPut")
def string_at_put(vm: Machine, receiver: Value, index: Value, value: Value) -> Value:
    """Store a character; fails where there is no place for it, or where it is too wide."""
    codes = _codes(receiver)
    if type(index) is not int or not 1 <= index <= len(codes) or type(value) is not Character:
        raise PrimitiveFailed
    if type(receiver) is Bytes and value.code > 255:
        raise PrimitiveFailed
    codes[index - 1] = value.code
    return value


@primitive("stringEqual")
def string_equal(vm: Machine, receiver: Value, other: Value) -> Value:
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
def bytes_equal(vm: Machine, receiver: Value, other: Value) -> Value:
    """Whether two byte arrays of one class hold the same bytes; fails for two classes."""
    if type(other) is not Bytes or other.cls is not receiver.cls:
        raise PrimitiveFailed
    return receiver.data == other.data


@primitive("stringCompare")
def string_compare(vm: Machine, receiver: Value, one: Value, other: Value, order: Value) -> Value:
    """-1, 0 or 1 by the order, a table of 256 bytes; wider characters compare by their codes."""
    table = bytes(_codes(order))
    left, right = _ordered(one, table), _ordered(other, table)
    return (left > right) - (left < right)


def _ordered(value: Value, table: bytes) -> list[int]:
    codes = _codes(value)
    if isinstance(codes, bytearray):
        return list(codes.translate(table))
    return [table[code] if code < 256 else code for code in codes]


@primitive("stringFind")
def string_find(vm: Machine, receiver: Value, key: Value, start: Value, case_sensitive: Value) -> Value:
    """Where the key begins at or after ``start``; 0 if nowhere, or if the key is empty."""
    if type(start) is not int:
        raise PrimitiveFailed
    body, sought = _text(receiver), _text(key)
    if not sought:
        return 0
    if case_sensitive is False:
        body, sought = _other_case(body, "lower"), _other_case(sought, "lower")
    return body.find(sought, max(start, 1) - 1) + 1


@primitive("stringIndexOf")
def string_index_of(vm: Machine, receiver: Value, code: Value, string: Value, start: Value) -> Value:
    """Where a code is at or after ``start``; 0 if nowhere."""
    if type(code) is not int or type(start) is not int:
        raise PrimitiveFailed
    codes = _codes(string)
    if isinstance(codes, bytearray):
        return codes.find(code, max(start, 1) - 1) + 1 if 0 <= code < 256 else 0
    try:
        return codes.index(code, max(start, 1) - 1) + 1
    except ValueError:
        return 0


@primitive("stringHash")
def string_hash(vm: Machine, receiver: Value) -> Value:
    """A number of 28 bits, the same for equal strings of any class."""
    codes = _codes(receiver)
    if isinstance(codes, bytearray) and codes.isascii():
        return zlib.crc32(codes) & 0xFFFFFFF
    return zlib.crc32(_text(receiver).encode("utf-8", "surrogatepass")) & 0xFFFFFFF


@primitive("stringAsLowercase")
def string_as_lowercase(vm: Machine, receiver: Value) -> Value:
    """A new string in small letters."""
    if type(receiver) is Bytes:
        return Bytes(vm.classes["ByteString"], receiver.data.translate(LOWERCASE))
    return vm.string(_other_case(_text(receiver), "lower"))


@primitive("stringAsUppercase")
def string_as_uppercase(vm: Machine, receiver: Value) -> Value:
    """A new string in capital letters."""
    if type(receiver) is Bytes:
        return Bytes(vm.classes["ByteString"], receiver.data.translate(UPPERCASE))
    return vm.string(_other_case(_text(receiver), "upper"))


@primitive("symbolIntern")
def symbol_intern(vm: Machine, receiver: Value, string: Value) -> Value:
    """The one symbol with these characters."""
    return vm.symbol(_text(string))


@primitive("symbolFind")
def symbol_find(vm: Machine, receiver: Value, string: Value) -> Value:
    """The symbol with these characters if there is one already, else nil."""
    return vm.symbols.get(_text(string))


@primitive("characterValue")
def character_value(vm: Machine, receiver: Value, code: Value) -> Value:
    """The character with this code."""
    if type(code) is not int or not 0 <= code <= LARGEST_CODE:
        raise PrimitiveFailed
    return character(code)


@primitive("characterCode")
def character_code(vm: Machine, receiver: Value) -> Value:
    """The code of a character."""
    return receiver.code


@primitive("characterCategory")
def character_category(vm: Machine, receiver: Value, value: Value) -> Value:
    """The two letters of a character's general category, as a symbol."""
    return vm.symbol(unicodedata.category(_chr(value.code)))


@primitive("characterIsLetter")
def character_is_letter(vm: Machine, receiver: Value, value: Value) -> Value:
    """Whether the category is one of the letters'."""
    return _chr(value.code).isalpha()


@primitive("characterDigitValue")
def character_digit_value(vm: Machine, receiver: Value, value: Value) -> Value:
    """0 to 35 for digits and Latin letters, a decimal digit's value, else -1."""
    one = _chr(value.code)
    if one.isascii():
        return int(one, 36) if one.isalnum() else -1
    return unicodedata.decimal(one, -1)


@primitive("characterToLowercase")
def character_to_lowercase(vm: Machine, receiver: Value, value: Value) -> Value:
    """The small letter, or the character itself."""
    return character(ord(_other_case(_chr(value.code), "lower")))


@primitive("characterToUppercase")
def character_to_uppercase(vm: Machine, receiver: Value, value: Value) -> Value:
    """The capital letter, or the character itself."""
    return character(ord(_other_case(_chr(value.code), "upper")))
