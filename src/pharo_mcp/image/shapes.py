"""Named tuples read from JSON and written to it.

The type of a field is that of its JSON value: `str`, `int`, `float`, `bool`, another shape, `tuple[X, ...]`,
or one of several: `X | Y`. `X | None` allows a missing value; `dict[str, object]` and `object` take any.
JSON's keys are the fields' names in camelCase; a field with a default may be missing.
"""

from collections.abc import Iterator, Mapping
from functools import cache, lru_cache
from types import GenericAlias, NoneType, UnionType
from typing import Any, NamedTuple, TypeVar, cast, get_args, get_origin, get_type_hints

Shape = TypeVar("Shape", bound=NamedTuple)
Hint = Any  # a class, a union or a generic alias: Python has no one type for these


class ShapeMismatch(ValueError):
    """JSON that does not have the shape; the message has the position."""


def read(shape: type[Shape], value: object) -> Shape:
    """Return the value that JSON holds; unknown keys are ignored.

    Raises:
        ShapeMismatch: If it does not hold one.
    """
    return cast(Shape, _read(shape, value, ""))


def write(value: NamedTuple) -> dict[str, object]:
    """Return JSON for a value; members that are None are omitted."""
    members = zip(value._fields, value, strict=True)
    return {wire_name(field): _write(member) for field, member in members if member is not None}


def request_body(**members: object) -> dict[str, object]:
    """Return a request body of these members, with names in camelCase; those that are None are omitted."""
    return {wire_name(name): value for name, value in members.items() if value is not None}


@cache
def _members(shape: Hint) -> Mapping[str, Any]:
    return get_type_hints(shape)


@cache
def _keys(shape: Hint) -> tuple[tuple[str, str, Hint], ...]:
    """Each field, its name in JSON, and its type."""
    return tuple((field, wire_name(field), hint) for field, hint in _members(shape).items())


@lru_cache(1024)  # those of an image's own tools are among them, so there is no end of names
def wire_name(field: str) -> str:
    """Return the name of a field in JSON, in camelCase."""
    first, *rest = field.split("_")
    return first + "".join(map(str.capitalize, rest))


def _is_shape(hint: Hint) -> bool:
    return isinstance(hint, type) and hasattr(hint, "_fields")


def _is_made_of(container: Hint, hint: Hint) -> bool:
    return isinstance(hint, GenericAlias) and get_origin(hint) == container


def _read(hint: Hint, value: object, path: str) -> object:
    if isinstance(hint, UnionType):
        return _read_either(get_args(hint), value, path)
    if _is_shape(hint) and isinstance(value, Mapping):
        return hint(**dict(_read_members(hint, value, path)))
    if hint is object or (_is_made_of(dict, hint) and isinstance(value, dict)):
        return value
    if _is_made_of(tuple, hint) and isinstance(value, list):
        return tuple(_read(get_args(hint)[0], each, f"{path}[{n}]") for n, each in enumerate(value))
    if type(value) is hint or (hint is float and type(value) is int):
        return value
    raise ShapeMismatch(f"{path or 'it'} has the wrong type")


def _read_either(hints: tuple[Hint, ...], value: object, path: str) -> object:
    if value is None and NoneType in hints:
        return None
    *others, last = (hint for hint in hints if hint is not NoneType)
    for hint in others:
        try:
            return _read(hint, value, path)
        except ShapeMismatch:
            continue
    return _read(last, value, path)


def _read_members(shape: Hint, value: Mapping[str, object], path: str) -> Iterator[tuple[str, object]]:
    for field, key, hint in _keys(shape):
        if key in value:
            yield field, _read(hint, value[key], _joined(path, key))
        elif field not in shape._field_defaults:
            raise ShapeMismatch(f"{_joined(path, key)} is missing")


def _joined(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _write(value: object) -> object:
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return write(cast(NamedTuple, value))
    return [_write(each) for each in value] if isinstance(value, tuple) else value
