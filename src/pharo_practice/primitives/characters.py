"""Characters: codes, categories and cases, from Python's Unicode tables."""

from __future__ import annotations

import unicodedata
from functools import lru_cache

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PRIMITIVES, Primitive, PrimitiveFailed, primitive
from pharo_practice.model.objects import Character, Value, character

LARGEST_CODE = (1 << 30) - 1


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


def to_python(one: Value) -> str:
    """The character in Python, which refuses codes beyond Unicode; Smalltalk has them."""
    if type(one) is not Character:
        raise PrimitiveFailed
    return chr(one.code)


def _digit_value(one: str) -> int:
    """0 to 35 for digits and Latin letters, a decimal digit's value, else -1."""
    if one.isascii():
        return int(one, 36) if one.isalnum() else -1
    return unicodedata.decimal(one, -1)


CHARACTERS: dict[str, Primitive] = {
    "characterCode": lambda _vm, one: one.code,
    "characterCategory": lambda vm, _set, one: vm.symbol(unicodedata.category(to_python(one))),
    "characterIsLetter": lambda _vm, *sent: to_python(sent[-1]).isalpha(),
    "characterIsDigit": lambda _vm, *sent: unicodedata.category(to_python(sent[-1])) == "Nd",
    "characterDigitValue": lambda _vm, *sent: _digit_value(to_python(sent[-1])),
    "characterToLowercase": lambda _vm, *sent: character(ord(lowercase(to_python(sent[-1])))),
    "characterToUppercase": lambda _vm, *sent: character(ord(uppercase(to_python(sent[-1])))),
}
"""What is asked of a character, or of a character set about one, which is the last of what is sent then."""

PRIMITIVES.update(CHARACTERS)
