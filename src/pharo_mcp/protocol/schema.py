"""JSON Schemas, compiled when they are first needed, with violations in words."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, cast

from .coercion import coerce
from .listed_schema import listed_schema

if TYPE_CHECKING:
    from fastjsonschema import JsonSchemaValueException

SHOWN = 80
"""Characters of a wrong value that are repeated."""

NOT_BLANK = r"\S"
"""The pattern of a text with anything but blanks."""

RULES = {
    "type": "must be {}",
    "enum": "must be one of {}",
    "const": "must be {}",
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
    """A JSON Schema for the arguments of a tool or for its structured result.

    `listed` is what lists show of it, if that is less than its definition.

    Raises:
        ValueError: If the definition refers to another schema: nothing is fetched.
    """

    def __init__(
        self, definition: Mapping[str, object], *, listed: Mapping[str, object] | None = None
    ) -> None:
        self.definition = definition
        self._shown = definition if listed is None else listed
        if remote := next(_references_elsewhere(definition), None):
            raise ValueError(f"A schema may refer only to itself, not to {remote}")

    @cached_property
    def listed(self) -> Mapping[str, object]:
        """What lists show, such that every host takes it."""
        return listed_schema(self._shown)

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
        from fastjsonschema import JsonSchemaValuesException

        checked = dict(arguments)
        try:
            self._validate(checked)
        except JsonSchemaValuesException as violation:
            sentences = dict.fromkeys(map(_sentence, violation.errors))
            raise SchemaViolation("; ".join(sentences)) from violation
        return checked

    @cached_property
    def _validate(self) -> Callable[[object], object]:
        # Imported here: the handshake does not need it and should not wait for it.
        from fastjsonschema import compile as compile_schema

        return compile_schema(dict(self.definition), fast_fail=False)


def _references_elsewhere(schema: object) -> Iterator[str]:
    match schema:
        case Mapping():
            reference = schema.get("$ref")
            if isinstance(reference, str) and not reference.startswith("#"):
                yield reference
            for part in schema.values():
                yield from _references_elsewhere(part)
        case list() | tuple():
            for part in schema:
                yield from _references_elsewhere(part)


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
            wanted = _listed(error.rule_definition)
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


def _listed(choices: object) -> str:
    return ", ".join(map(json.dumps, choices)) if isinstance(choices, list) else json.dumps(choices)


def _expected(properties: Mapping[str, Mapping[str, object]], name: str) -> str:
    expected = properties.get(name, {})
    choices, kind = expected.get("enum"), expected.get("type")
    if choices:
        kind = f"one of {_listed(choices)}"
    elif isinstance(kind, str):
        kind = _with_article(kind)
    words = [str(each).rstrip(".") for each in (kind, expected.get("description")) if each]
    return f" ({': '.join(words)})" if words else ""


def _with_article(kind: str) -> str:
    return f"{ARTICLES.get(kind, 'a')} {kind}".lstrip()
