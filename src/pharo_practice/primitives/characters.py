"""Characters: codes, categories and cases, from Python's Unicode tables.

The tests are sent to a character set with a character, or to a character itself.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import Character, Value, character

LARGEST_CODE = (1 << 30) - 1


def to_python(code: int) -> str:
    """The character in Python; fails for codes beyond Unicode, which Smalltalk allows."""
    if code > 0x10FFFF:
        raise PrimitiveFailed
    return chr(code)


def uppercase(text: str) -> str:
    """The capital of each small letter by Unicode's case folding, as in Pharo: sharp s has one."""
    return text.upper() if text.isascii() else "".join(map(_capital, text))


def lowercase(text: str) -> str:
    """The small letter of each capital letter, if case folding has one."""
    return text.lower() if text.isascii() else "".join(map(_small, text))


@lru_cache(4_096)
def _capital(letter: str) -> str:
    if letter == "ß":
        return "ẞ"
    capital = letter.upper()
    if len(capital) != 1 or not capital != capital.casefold() == letter.casefold():
        return letter
    is_pair = unicodedata.category(letter) == "Ll" and unicodedata.category(capital) == "Lu"
    return capital if is_pair else letter


@lru_cache(4_096)
def _small(letter: str) -> str:
    small = letter.lower()
    is_pair = len(small) == 1 and letter != letter.casefold()
    return small if is_pair and unicodedata.category(letter) == "Lu" else letter


@primitive("characterValue")
def character_value(vm: Machine, receiver: Value, code: Value) -> Value:
    """The character with this code."""
    if type(code) is not int or not 0 <= code <= LARGEST_CODE:
        raise PrimitiveFailed
    return character(code)


@primitive("characterCode")
def character_code(vm: Machine, receiver: Character) -> Value:
    """The code of a character."""
    return receiver.code


def _code(value: Value) -> int:
    if type(value) is not Character:
        raise PrimitiveFailed
    return value.code


def _subject(receiver: Value, value: Value) -> str:
    """The character to test, in Python: the argument, or the receiver if there is no argument."""
    return to_python(_code(receiver if value is None else value))


@primitive("characterCategory")
def character_category(vm: Machine, receiver: Value, value: Value) -> Value:
    """The two letters of a character's general category, as a symbol."""
    return vm.symbol(unicodedata.category(to_python(_code(value))))


@primitive("characterIsLetter")
def character_is_letter(vm: Machine, receiver: Value, value: Value = None) -> Value:
    """Whether the category is one of the letters'."""
    return _subject(receiver, value).isalpha()


@primitive("characterIsDigit")
def character_is_digit(vm: Machine, receiver: Value, value: Value = None) -> Value:
    """Whether the category is that of decimal digits."""
    return unicodedata.category(_subject(receiver, value)) == "Nd"


@primitive("characterDigitValue")
def character_digit_value(vm: Machine, receiver: Value, value: Value = None) -> Value:
    """0 to 35 for digits and Latin letters, a decimal digit's value, else -1."""
    one = _subject(receiver, value)
    if one.isascii():
        return int(one, 36) if one.isalnum() else -1
    return unicodedata.decimal(one, -1)


@primitive("characterToLowercase")
def character_to_lowercase(vm: Machine, receiver: Value, value: Value = None) -> Value:
    """The small letter, or the character itself."""
    return character(ord(lowercase(_subject(receiver, value))))


@primitive("characterToUppercase")
def character_to_uppercase(vm: Machine, receiver: Value, value: Value = None) -> Value:
    """The capital letter, or the character itself."""
    return character(ord(uppercase(_subject(receiver, value))))
