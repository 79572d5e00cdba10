"""Arguments held against the JSON Schema of a tool.

Arguments are first taken as the schema wants them. Clients and models send `null` or an empty text for an
optional argument, text in place of a number, a boolean, an array or an object, one value in place of an array
of one, and 2.0 for 2. What can mean only one thing is taken as that (`coerce`). Everything else is left as it
is, and refused in words that a model can act on. Schemas are compiled when they are first needed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from pharo_mcp import strict_json

if TYPE_CHECKING:
    from fastjsonschema import JsonSchemaValueException

BOOLEANS = {"true": True, "false": False}
"""Python writes them with a capital."""


def coerce(value: object, schema: object) -> object:
    """Return a value as a JSON Schema wants it, or the value itself."""
    if not isinstance(schema, Mapping):
        return value
    types = _types(schema)
    if types.isdisjoint(_types_of(value)):
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
    return set()


def _types_of(value: object) -> set[str]:
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
    if not types.isdisjoint(_types_of(read)):
        return read
    if "array" not in types or read is None:
        return value
    for each in (read, value):
        item = coerce(each, items)
        if not _types(items).isdisjoint(_types_of(item)) and not _is_fragment(item, _types(items)):
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


def _is_nothing(value: object, rules: Mapping[str, Any]) -> bool:
    """Return whether a value is null, or a blank text that its schema does not allow."""
    if isinstance(value, str):
        return not value.strip() and not _allows_text(value, rules)
    return value is None


def _allows_text(text: str, rules: Mapping[str, Any]) -> bool:
    return (
        "string" in _types(rules)
        and text in rules.get("enum", [text])
        and len(text) >= rules.get("minLength", 0)
        and re.search(rules.get("pattern", ""), text) is not None
    )


SHOWN = 80
"""Characters of a wrong value that are repeated."""

NOT_BLANK = r"\S"
"""The pattern of a text with anything but blanks."""

RULES = {
    "type": "must be {}",
    "enum": "must be one of {}",
    "minimum": "must be at least {}",
    "maximum": "must be at most {}",
    "exclusiveMinimum": "must be more than {}",
    "exclusiveMaximum": "must be less than {}",
    "multipleOf": "must be a multiple of {}",
    "minLength": "must have at least {}",
    "maxLength": "must have at most {}",
    "pattern": "must match {}",
    "minItems": "must have at least {}",
    "maxItems": "must have at most {}",
    "uniqueItems": "must not contain duplicates",
}
"""The sentence for each rule of JSON Schema."""
OTHER_RULE = "must match its schema"
UNITS = {"minLength": "character", "maxLength": "character", "minItems": "item", "maxItems": "item"}
"""What the rules on lengths count."""
ARTICLES = {"array": "an", "integer": "an", "object": "an", "null": ""}
"""The articles of JSON's types; the others have `a`."""


class SchemaViolation(ValueError):
    """Arguments that their schema does not allow; the text names each one and what was expected."""


class Schema:
    """A JSON Schema for the arguments of a tool.

    `listed` is what lists show of it, if that is less than its definition.
    """

    def __init__(
        self, definition: Mapping[str, object], *, listed: Mapping[str, object] | None = None
    ) -> None:
        self.definition = definition
        self.listed = definition if listed is None else listed

    @property
    def properties(self) -> Mapping[str, Mapping[str, Any]]:
        """The schemas of the arguments, by name."""
        return cast("Mapping[str, Mapping[str, Any]]", self.definition.get("properties", {}))

    def compile(self) -> None:
        """Compile the schema now, not at the first check."""
        _ = self._validate

    def coerce(self, arguments: Mapping[str, object]) -> dict[str, object]:
        """Return the arguments as the schema wants them, as far as they can mean only one thing."""
        return cast("dict[str, object]", coerce(arguments, self.definition))

    def check(self, arguments: Mapping[str, object]) -> dict[str, object]:
        """Return the arguments, with the defaults of the schema for those left out.

        Raises:
            SchemaViolation: If the schema does not allow them.
        """
        checked = dict(arguments)
        self._validate(checked)
        return checked

    @cached_property
    def _validate(self) -> Callable[[object], None]:
        # Imported here: the first answers do not need it and should not wait for it.
        from fastjsonschema import JsonSchemaValuesException
        from fastjsonschema import compile as compile_schema

        validate = compile_schema(dict(self.definition), fast_fail=False)

        def check(value: object) -> None:
            try:
                validate(value)
            except JsonSchemaValuesException as violation:
                sentences = dict.fromkeys(map(_sentence, violation.errors))
                raise SchemaViolation("; ".join(sentences)) from violation

        return check


def _sentence(error: JsonSchemaValueException) -> str:
    _, _, path = (error.name or "").partition(".")  # the whole has the name `data`
    properties: Mapping[str, Mapping[str, object]] = error.definition.get("properties", {})
    match error.rule:
        case "required":
            missing = [name for name in error.rule_definition if name not in error.value]
            return ", ".join(
                f"`{_joined(path, name)}` is missing{_expected(properties, name)}" for name in missing
            )
        case "additionalProperties":
            unknown = ", ".join(f"`{_joined(path, name)}`" for name in error.value if name not in properties)
            known = ", ".join(f"`{name}`" for name in properties) or "none"
            return f"{unknown} is not a known argument (known: {known})"
        case "type":
            types = error.rule_definition
            wanted = " or ".join(map(_with_article, [types] if isinstance(types, str) else types))
        case "enum":
            wanted = _in_words(error.rule_definition)
        case "minLength" | "minItems" if error.rule_definition == 1:
            return f"`{path}` must not be empty"
        case "pattern" if error.rule_definition == NOT_BLANK:
            return f"`{path}` must not be empty"
        case "minLength" | "maxLength" | "minItems" | "maxItems":
            number = error.rule_definition
            wanted = f"{number} {UNITS[error.rule]}{'' if number == 1 else 's'}"
        case _:
            wanted = json.dumps(error.rule_definition)
    rule = RULES.get(error.rule or "", OTHER_RULE).format(wanted)
    shown = json.dumps(error.value)
    return f"`{path}` {rule}, not {shown if len(shown) <= SHOWN else shown[:SHOWN] + '…'}"


def _joined(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name


def _in_words(choices: object) -> str:
    return ", ".join(map(json.dumps, choices)) if isinstance(choices, list) else json.dumps(choices)


def _expected(properties: Mapping[str, Mapping[str, object]], name: str) -> str:
    expected = properties.get(name, {})
    kind = expected.get("type")
    match expected:
        case {"enum": choices}:
            kind = f"one of {_in_words(choices)}"
        case {"items": {"enum": choices}}:
            kind = f"an array of {_in_words(choices)}"
        case {"type": str(type_name)}:
            kind = _with_article(type_name)
    words = [str(each).rstrip(".") for each in (kind, expected.get("description")) if each]
    return f" ({': '.join(words)})" if words else ""


def _with_article(kind: str) -> str:
    return f"{ARTICLES.get(kind, 'a')} {kind}".lstrip()
