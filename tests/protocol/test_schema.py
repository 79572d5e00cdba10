import sys

import pytest

from pharo_mcp.protocol.schema import Schema, SchemaViolation

EVALUATE = Schema(
    {
        "type": "object",
        "properties": {
            "expression": {"type": "string", "description": "Smalltalk source"},
            "timeout_seconds": {"type": "number", "exclusiveMinimum": 0, "default": 20},
            "options": {"type": "object", "properties": {"deep": {"type": "boolean"}}, "required": ["deep"]},
        },
        "required": ["expression"],
        "additionalProperties": False,
    }
)


def violation(arguments: dict[str, object]) -> str:
    with pytest.raises(SchemaViolation) as caught:
        EVALUATE.check(arguments)
    return str(caught.value)


def test_arguments_that_fit_come_back_with_defaults_filled_in() -> None:
    asked: dict[str, object] = {"expression": "self"}
    assert EVALUATE.check(asked) == {"expression": "self", "timeout_seconds": 20}
    assert asked == {"expression": "self"}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "`expression` is missing (a string: Smalltalk source)"),
        ({"expression": 7}, "`expression` must be a string, not 7"),
        ({"expression": "", "timeout_seconds": "9"}, '`timeout_seconds` must be a number, not "9"'),
        ({"expression": "", "timeout_seconds": True}, "`timeout_seconds` must be a number, not true"),
        ({"expression": "", "timeout_seconds": 0}, "`timeout_seconds` must be more than 0, not 0"),
        ({"expression": "", "options": {}}, "`options.deep` is missing (a boolean)"),
        ({"expression": "", "options": {"deep": 1}}, "`options.deep` must be a boolean, not 1"),
        (
            {"expression": "", "timeout": 1},
            "`timeout` is not a known argument (known: `expression`, `timeout_seconds`, `options`)",
        ),
    ],
)
def test_a_violation_names_the_argument_and_what_was_expected(
    arguments: dict[str, object], sentence: str
) -> None:
    assert violation(arguments) == sentence


@pytest.mark.parametrize(
    ("rule", "value", "sentence"),
    [
        ({"type": ["string", "null"]}, 7, "must be a string or null, not 7"),
        ({"enum": ["a", 1, None]}, "b", 'must be one of "a", 1, null, not "b"'),
        ({"minimum": 1}, 0, "must be at least 1, not 0"),
        ({"maximum": 1}, 2, "must be at most 1, not 2"),
        ({"exclusiveMinimum": 1}, 1, "must be more than 1, not 1"),
        ({"exclusiveMaximum": 1}, 1, "must be less than 1, not 1"),
        ({"multipleOf": 2}, 3, "must be a multiple of 2, not 3"),
        ({"minLength": 1}, "", "must not be empty"),
        ({"minLength": 2}, "a", 'must have at least 2 characters, not "a"'),
        ({"maxLength": 1}, "ab", 'must have at most 1 character, not "ab"'),
        ({"pattern": "^a$"}, "b", 'must match "^a$", not "b"'),
        ({"minItems": 1}, [], "must not be empty"),
        ({"minItems": 2}, [1], "must have at least 2 items, not [1]"),
        ({"maxItems": 1}, [1, 2], "must have at most 1 item, not [1, 2]"),
        ({"uniqueItems": True}, [1, 1], "must not contain duplicates, not [1, 1]"),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 7, "must match its schema, not 7"),
    ],
)
def test_every_rule_has_its_sentence(rule: dict[str, object], value: object, sentence: str) -> None:
    schema = Schema({"type": "object", "properties": {"it": rule}})
    with pytest.raises(SchemaViolation) as caught:
        schema.check({"it": value})
    assert str(caught.value) == f"`it` {sentence}"


def test_an_item_is_named_by_its_place() -> None:
    items = {"type": "array", "items": {"type": "string"}}
    with pytest.raises(SchemaViolation) as caught:
        Schema({"type": "object", "properties": {"it": items}}).check({"it": ["a", 1]})
    assert str(caught.value) == "`it[1]` must be a string, not 1"


def test_every_violation_is_named() -> None:
    assert violation({"expression": 7, "timeout_seconds": 0}).count(";") == 1


def test_a_long_wrong_value_is_cut() -> None:
    assert len(violation({"expression": ["x" * 10_000]})) < 200


def test_the_compiler_is_not_loaded_before_the_first_check(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "fastjsonschema", raising=False)
    schema = Schema({"type": "object"})
    assert "fastjsonschema" not in sys.modules
    schema.check({})
    assert "fastjsonschema" in sys.modules


def test_a_schema_can_be_compiled_before_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "fastjsonschema", raising=False)
    Schema({"type": "object"}).compile()
    assert "fastjsonschema" in sys.modules


def test_a_missing_choice_names_its_choices() -> None:
    kind = {"type": "string", "enum": ["classes", "senders"], "description": "What to search for."}
    schema = Schema({"type": "object", "properties": {"kind": kind}, "required": ["kind"]})
    with pytest.raises(SchemaViolation) as caught:
        schema.check({})
    assert str(caught.value) == '`kind` is missing (one of "classes", "senders": What to search for)'


def test_a_missing_list_of_choices_names_its_choices() -> None:
    kind = {"type": "array", "items": {"enum": ["classes", "senders"]}, "description": "What to search for."}
    schema = Schema({"type": "object", "properties": {"kind": kind}, "required": ["kind"]})
    with pytest.raises(SchemaViolation) as caught:
        schema.check({})
    assert str(caught.value) == '`kind` is missing (an array of "classes", "senders": What to search for)'


def test_what_is_listed_is_the_definition_or_less_and_the_definition_is_checked() -> None:
    listed = {"type": "object", "properties": {"name": {"type": "string"}}}
    definition = {**listed, "additionalProperties": False}
    assert Schema(definition).listed == definition
    schema = Schema(definition, listed=listed)
    assert schema.listed == listed
    with pytest.raises(SchemaViolation, match="`zork` is not a known argument"):
        schema.check({"zork": 1})
