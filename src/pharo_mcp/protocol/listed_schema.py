"""JSON Schemas as every host takes them: each has one type, beside an `enum`, too, and none is a union.

Hosts of Gemini models refuse all tools of a server for one schema that goes beyond that. What is listed of it
names the first of several types or schemas; the whole is checked.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

UNLISTED = {
    *("$defs", "$ref", "allOf", "anyOf", "const", "contains", "definitions", "dependencies"),
    *("dependentSchemas", "else", "if", "not", "oneOf", "patternProperties", "prefixItems", "propertyNames"),
    *("then", "unevaluatedItems", "unevaluatedProperties"),
}
"""Keywords with other schemas, or in place of a type."""
MOST_REFERENCES = 5
"""References that are followed inside one another. A schema may contain itself."""
TYPES = ("string", "integer", "number", "boolean", "array", "object", "null")
"""In the order in which one is chosen by values alone."""

Definition = Mapping[str, Any]


def listed_schema(definition: Definition) -> Definition:
    """Return what is listed of a schema: all of it, if it has one type everywhere."""
    return _listed(definition, definition, 0)


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


def _listed(schema: object, root: Definition, depth: int) -> Definition:
    """Return what is listed of a part of the schema `root`, below so many references."""
    whole, depth = _resolved(schema, root, depth)
    listed = {keyword: rule for keyword, rule in whole.items() if keyword not in UNLISTED}
    kind = listed["type"] = _type(whole)
    if choices := [each for each in _choices(whole) if kind in types_of(each)]:
        listed["enum"] = choices
    if isinstance(properties := whole.get("properties"), Mapping):
        allowed = {name: each for name, each in properties.items() if each is not False}
        listed["properties"] = {name: _listed(each, root, depth) for name, each in allowed.items()}
    if kind == "array":
        listed["items"] = _listed(_first(whole.get("items")), root, depth)
    if isinstance(others := whole.get("additionalProperties"), Mapping):
        listed["additionalProperties"] = _listed(others, root, depth)
    return listed


def _resolved(schema: object, root: Definition, depth: int) -> tuple[Definition, int]:
    """Return a schema with those that it refers to, and the number of references until there."""
    whole: Definition = schema if isinstance(schema, Mapping) else {}
    if "$ref" in whole:
        if depth == MOST_REFERENCES:
            return {"type": "object"}, depth
        found, depth = _resolved(_at(root, whole["$ref"]), root, depth + 1)
        whole = _merged(found, whole)
    for each in whole.get("allOf", ()):
        found, depth = _resolved(each, root, depth)
        whole = _merged(found, whole)
    if "type" not in whole:
        alternatives = [_resolved(each, root, depth) for each in _alternatives(whole)]
        for found, below in alternatives:
            if _type(found) != "null":
                return _merged(found, whole), below
    return whole, depth


def _at(root: Definition, reference: str) -> object:
    """Return the schema that a reference such as `#/$defs/name` means, if there is one."""
    found: Any = root
    for step in reference.removeprefix("#").split("/")[1:]:
        name = unquote(step).replace("~1", "/").replace("~0", "~")
        found = found.get(name) if isinstance(found, Mapping) else None
    return found


def _merged(part: Definition, whole: Definition) -> Definition:
    """Return two schemas that both hold as one; of a rule that both have, that of the second counts."""
    both = {**part, **whole}
    for keyword in ("properties", "required"):
        match part.get(keyword), whole.get(keyword):
            case Mapping() as inner, Mapping() as outer:
                both[keyword] = {**inner, **outer}
            case list() as inner, list() as outer:
                both[keyword] = list(dict.fromkeys([*outer, *inner]))
    return both


def _alternatives(schema: Definition) -> list[object]:
    return [*schema.get("anyOf", ()), *schema.get("oneOf", ())]


def _choices(schema: Definition) -> list[object]:
    return [schema["const"]] if "const" in schema else schema.get("enum", [])


def _type(schema: Definition) -> str:
    """Return the first type that a schema has, or that its rules suggest."""
    match schema.get("type"):
        case str(name):
            return name
        case [*names] if names:
            return next((name for name in names if name != "null"), "null")
    if values := [*_choices(schema), *([schema["default"]] if "default" in schema else [])]:
        common = set.intersection(*map(types_of, values)) or types_of(values[0])
        return next(name for name in TYPES if name in common)
    return "object" if "properties" in schema else "array" if "items" in schema else "string"


def _first(items: object) -> object:
    """Return the schema of the items of an array; each place may have its own."""
    return items[0] if isinstance(items, list) and items else items
