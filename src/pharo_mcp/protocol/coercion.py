"""Arguments as their schema wants them.

Clients and models send `null` or an empty text for an optional argument, text in place of a number, a
boolean, an array or an object, one value in place of an array of one, and 2.0 for 2. What can mean only one
thing is taken as that. Everything else is left as it is, for the schema to refuse.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from pharo_mcp import strict_json

BOOLEANS = {"true": True, "false": False}
"""Python writes them with a capital."""


def coerce(value: object, schema: object) -> object:
    """Return a value as a JSON Schema wants it, or the value itself."""
    if not isinstance(schema, Mapping):
        return value
    types = _types(schema)
    if types.isdisjoint(types_of(value)):
        value = _converted(value, types, schema.get("items"))
    match value:
        case float() if "integer" in types and value.is_integer():
            return int(value)
        case Mapping():
            return dict(_members(value, schema))
        case list():
            return [coerce(each, schema.get("items")) for each in value]
    return value


def _types(schema: object) -> set[str]:
    """Return the names of the types that a schema allows; none if it allows any."""
    match schema:
        case {"type": str(name)}:
            return {name}
        case {"type": [*names]}:
            return set(names)
        case {"anyOf": [*schemas]} | {"oneOf": [*schemas]}:
            types = [_types(each) for each in schemas]
            return set().union(*types) if all(types) else set()
    return set()


def types_of(value: object) -> set[str]:
    """Return the names of the types that a value has."""
    match value:
        case None:
            return {"null"}
        case bool():
            return {"boolean"}
        case float() if not value.is_integer():
            return {"number"}
        case int() | float():
            return {"number", "integer"}
        case str():
            return {"string"}
        case list():
            return {"array"}
    return {"object"}


def _converted(value: object, types: set[str], items: object) -> object:
    """Return what a value of another type stands for, or the value itself."""
    read = _read(value) if isinstance(value, str) else value
    if not types.isdisjoint(types_of(read)):
        return read
    if "array" not in types or read is None:
        return value
    for each in (read, value):
        item = coerce(each, items)
        if not _types(items).isdisjoint(types_of(item)) and not _is_fragment(item, _types(items)):
            return [item]
    return value


def _read(text: str) -> object:
    """Return the JSON value that a text holds, or the text itself."""
    if (boolean := BOOLEANS.get(text.strip().lower())) is not None:
        return boolean
    try:
        return strict_json.read(text)
    except (ValueError, RecursionError):
        return text


def _is_fragment(item: object, types: set[str]) -> bool:
    """Return whether an item is a blank text, or one that seems to be an array or object with an error."""
    begin = item.strip()[:1] if isinstance(item, str) else "value"
    return begin in ("", "[") or (begin == "{" and "object" not in types)


def _members(value: Mapping[str, object], schema: Mapping[str, object]) -> Iterator[tuple[str, object]]:
    """Yield the members of an object that count, each as its own schema wants it."""
    properties: Any = schema.get("properties") or {}
    required: Any = schema.get("required") or ()
    for name, member in value.items():
        if name in required or name not in properties or not _is_nothing(member, properties[name]):
            yield name, coerce(member, properties.get(name))


def _is_nothing(value: object, schema: object) -> bool:
    """Return whether a value is null, or a blank text, that its schema does not allow."""
    rules: Any = schema if isinstance(schema, Mapping) else {}
    if value is None:
        return "null" not in _types(rules) and None not in rules.get("enum", ())
    return isinstance(value, str) and not value.strip() and not _allows_text(value, rules)


def _allows_text(text: str, rules: Mapping[str, Any]) -> bool:
    types = _types(rules)
    return (
        (not types or "string" in types)
        and text in rules.get("enum", [text])
        and len(text) >= rules.get("minLength", 0)
        and re.search(rules.get("pattern", ""), text) is not None
    )
