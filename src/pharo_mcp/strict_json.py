"""Strict JSON: from text to values and back, and from values to named tuples and back.

The module `json` alone accepts `NaN`, reads `1e400` as infinity, and writes unpaired surrogates. What is
written here is valid Unicode.

The type of a field of a named tuple is that of its JSON value: `str`, `int`, `float`, `bool`, another shape,
`tuple[X, ...]`, or one of several: `X | Y`. `X | None` allows a missing value; `dict[str, object]` and
`object` take any. JSON's keys are the fields' names in camelCase; a field with a default may be missing.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from types import GenericAlias, NoneType, UnionType
from typing import Any, NamedTuple, TypeVar, cast, get_args, get_origin, get_type_hints

INTEGER_LIMIT = 4300
"""Digits of an integer: Python's own limit, since parsing takes quadratic time."""

ESCAPES = re.compile(r"\\(?:ud[89ab]..\\ud[c-f]..|(ud[89a-f]..)|.)")
"""The escapes in JSON that is ASCII; the group is half of a surrogate pair without the other half."""
REPLACEMENT = r"\ufffd"


def read(text: str) -> object:
    """Return the value of a JSON text.

    Raises:
        ValueError: If it is not strict JSON; the message says why and where.
        RecursionError: If it is nested too deeply.
    """
    return _DECODER.decode(text)


def write(value: object) -> str:
    """Return a value as JSON, without blanks and in ASCII; U+FFFD stands for each unpaired surrogate.

    Raises:
        ValueError, TypeError, RecursionError: If it has no JSON.
    """
    text = _ENCODER.encode(value)
    if r"\ud" not in text:
        return text
    return ESCAPES.sub(lambda escape: REPLACEMENT if escape[1] else escape[0], text)


def _integer(digits: str) -> int:
    if len(digits) > INTEGER_LIMIT:
        raise ValueError(f"an integer has more than {INTEGER_LIMIT} digits")
    return int(digits)


def _finite(digits: str) -> float:
    number = float(digits)
    if math.isinf(number):
        raise ValueError("a number is too large")
    return number


def _reject_constant(constant: str) -> float:
    raise ValueError(f"{constant} is not JSON")


def _reject_object(value: object) -> object:
    raise TypeError(f"{type(value).__name__} has no JSON")


_DECODER = json.JSONDecoder(parse_int=_integer, parse_float=_finite, parse_constant=_reject_constant)
_ENCODER = json.JSONEncoder(
    allow_nan=False, check_circular=False, separators=(",", ":"), default=_reject_object
)

Shape = TypeVar("Shape", bound=NamedTuple)
Hint = Any  # a class, a union or a generic alias: Python has no one type for these


class ShapeMismatch(ValueError):
    """JSON that does not have the shape; the message has the position."""


def read_shape(shape: type[Shape], value: object) -> Shape:
    """Return the value that JSON holds; unknown keys are ignored.

    Raises:
        ShapeMismatch: If it does not hold one.
    """
    return cast(Shape, _typed(shape, value, ""))


def write_shape(value: NamedTuple) -> dict[str, object]:
    """Return JSON for a value; members that are None are omitted."""
    members = zip(value._fields, value, strict=True)
    return {wire_name(field): _untyped(member) for field, member in members if member is not None}


def request_body(**members: object) -> dict[str, object]:
    """Return a request body of these members, with names in camelCase; those that are None are omitted."""
    return {wire_name(name): value for name, value in members.items() if value is not None}


@cache
def _keys(shape: Hint) -> tuple[tuple[str, str, Hint], ...]:
    """Each field, its name in JSON, and its type."""
    return tuple((field, wire_name(field), hint) for field, hint in get_type_hints(shape).items())


@lru_cache(1024)  # those of an image's own tools are among them, so there is no end of names
def wire_name(field: str) -> str:
    """Return the name of a field in JSON, in camelCase."""
    first, *rest = field.split("_")
    return first + "".join(map(str.capitalize, rest))


def _is_shape(hint: Hint) -> bool:
    return isinstance(hint, type) and hasattr(hint, "_fields")


def _is_made_of(container: Hint, hint: Hint) -> bool:
    return isinstance(hint, GenericAlias) and get_origin(hint) == container


def _typed(hint: Hint, value: object, path: str) -> object:
    if isinstance(hint, UnionType):
        return _typed_either(get_args(hint), value, path)
    if _is_shape(hint) and isinstance(value, Mapping):
        return hint(**dict(_typed_members(hint, value, path)))
    if hint is object or (_is_made_of(dict, hint) and isinstance(value, dict)):
        return value
    if _is_made_of(tuple, hint) and isinstance(value, list):
        return tuple(_typed(get_args(hint)[0], each, f"{path}[{n}]") for n, each in enumerate(value))
    if type(value) is hint or (hint is float and type(value) is int):
        return value
    raise ShapeMismatch(f"{path or 'it'} has the wrong type")


def _typed_either(hints: tuple[Hint, ...], value: object, path: str) -> object:
    if value is None and NoneType in hints:
        return None
    *others, last = (hint for hint in hints if hint is not NoneType)
    for hint in others:
        try:
            return _typed(hint, value, path)
        except ShapeMismatch:
            continue
    return _typed(last, value, path)


def _typed_members(shape: Hint, value: Mapping[str, object], path: str) -> Iterator[tuple[str, object]]:
    for field, key, hint in _keys(shape):
        if key in value:
            yield field, _typed(hint, value[key], _joined(path, key))
        elif field not in shape._field_defaults:
            raise ShapeMismatch(f"{_joined(path, key)} is missing")


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _untyped(value: object) -> object:
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return write_shape(cast(NamedTuple, value))
    return [_untyped(each) for each in value] if isinstance(value, tuple) else value
