"""What is listed of schemas that go beyond what every host takes."""

from typing import Any

import pytest

from pharo_mcp.protocol.schema import Schema
from protocol.listed import beyond_the_subset


def listed(schema: object, **more: object) -> Any:
    """What is listed of the schema of an argument."""
    whole: Any = Schema({"type": "object", "properties": {"it": schema}, **more}).listed
    assert list(beyond_the_subset(whole)) == []
    return whole["properties"]["it"]


@pytest.mark.parametrize(
    "schema",
    [
        {"type": "string", "minLength": 1, "description": "A name.", "x-mcp-header": "Name"},
        {"description": "A side.", "type": "string", "enum": ["instance", "class"]},
        {"type": "array", "items": {"type": "array", "items": {"type": "number"}}, "default": []},
        {"type": "object", "properties": {"a": {"type": "integer"}}, "required": ["a"]},
        {"type": "object", "properties": {}, "additionalProperties": {"type": "integer"}},
        {"type": "object", "properties": {"const": {"type": "string"}}, "additionalProperties": False},
    ],
)
def test_a_schema_with_one_type_everywhere_is_listed_as_it_is(schema: dict[str, object]) -> None:
    assert list(listed(schema).items()) == list(schema.items())


@pytest.mark.parametrize(
    ("schema", "shown"),
    [
        ({"type": ["string", "integer"]}, {"type": "string"}),
        ({"type": ["null", "integer"]}, {"type": "integer"}),
        ({"anyOf": [{"type": "null"}, {"type": "integer"}]}, {"type": "integer"}),
        (
            {"oneOf": [{"type": "integer", "minimum": 1}, {"type": "string"}], "description": "Which."},
            {"type": "integer", "minimum": 1, "description": "Which."},
        ),
        ({"anyOf": [{"oneOf": [{"type": "boolean"}]}]}, {"type": "boolean"}),
        (
            {"type": "object", "properties": {"a": {}}, "anyOf": [{"required": ["a"]}, {"required": ["b"]}]},
            {"type": "object", "properties": {"a": {"type": "string"}}},
        ),
        (
            {
                "allOf": [{"type": "object", "properties": {"a": True}, "required": ["a"]}],
                "properties": {"b": {"type": "integer"}},
                "required": ["b"],
            },
            {
                "type": "object",
                "properties": {"a": {"type": "string"}, "b": {"type": "integer"}},
                "required": ["b", "a"],
            },
        ),
        ({"enum": ["a", "b"]}, {"type": "string", "enum": ["a", "b"]}),
        ({"enum": [1, 2.5, "a"]}, {"type": "integer", "enum": [1]}),
        ({"enum": [1, 2.5]}, {"type": "number", "enum": [1, 2.5]}),
        ({"type": ["string", "null"], "enum": ["a", None]}, {"type": "string", "enum": ["a"]}),
        ({"const": "a"}, {"type": "string", "enum": ["a"]}),
        ({"type": "string", "const": "a"}, {"type": "string", "enum": ["a"]}),
        ({"default": 7}, {"default": 7, "type": "integer"}),
        ({"items": {"type": "integer"}}, {"items": {"type": "integer"}, "type": "array"}),
        ({"type": "array"}, {"type": "array", "items": {"type": "string"}}),
        ({"type": "array", "items": [{"type": "integer"}]}, {"type": "array", "items": {"type": "integer"}}),
        (
            {"type": "array", "items": {"enum": ["a"]}},
            {"type": "array", "items": {"type": "string", "enum": ["a"]}},
        ),
        (
            {"properties": {"a": {"type": "integer"}}},
            {"type": "object", "properties": {"a": {"type": "integer"}}},
        ),
        ({"type": "object", "properties": {"a": False}}, {"type": "object", "properties": {}}),
        (
            {"type": "object", "additionalProperties": {}},
            {"type": "object", "additionalProperties": {"type": "string"}},
        ),
        ({"type": "integer", "not": {"const": 7}}, {"type": "integer"}),
        ({}, {"type": "string"}),
        (True, {"type": "string"}),
    ],
)
def test_of_several_types_or_schemas_the_first_is_listed(schema: object, shown: dict[str, object]) -> None:
    assert listed(schema) == shown


def test_a_reference_is_listed_as_what_it_means() -> None:
    name = {"type": "string", "description": "A name."}
    shown = listed({"$ref": "#/$defs/a~1b%20c", "description": "Its name."}, **{"$defs": {"a/b c": name}})
    assert shown == {"type": "string", "description": "Its name."}


def test_a_schema_that_contains_itself_is_listed_to_some_depth() -> None:
    node = {"type": "object", "properties": {"next": {"$ref": "#/definitions/node"}}}
    shown = listed({"$ref": "#/definitions/node"}, definitions={"node": node})
    depth = 0
    while "properties" in shown:
        shown, depth = shown["properties"]["next"], depth + 1
    assert (shown, depth) == ({"type": "object"}, 5)


def test_what_is_not_listed_is_checked() -> None:
    either = {"anyOf": [{"type": "integer"}, {"type": "array", "items": {"type": "integer"}}]}
    schema = Schema({"type": "object", "properties": {"it": either}})
    assert schema.check({"it": [7]}) == {"it": [7]}
