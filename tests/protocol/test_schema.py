import sys

import pytest

from pharo_mcp.protocol import Schema, SchemaViolation

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
        ({}, "`expression` is missing (expected: string, Smalltalk source)"),
        ({"expression": 7}, "`expression` must be string, not 7"),
        ({"expression": "", "timeout_seconds": "9"}, '`timeout_seconds` must be number, not "9"'),
        ({"expression": "", "timeout_seconds": True}, "`timeout_seconds` must be number, not true"),
        ({"expression": "", "timeout_seconds": 0}, "`timeout_seconds` must be bigger than 0, not 0"),
        ({"expression": "", "options": {}}, "`options.deep` is missing (expected: boolean)"),
        ({"expression": "", "options": {"deep": 1}}, "`options.deep` must be boolean, not 1"),
        (
            {"expression": "", "timeout": 1},
            "`timeout` is not known (known: `expression`, `timeout_seconds`, `options`)",
        ),
    ],
)
def test_a_violation_names_the_argument_and_what_was_expected(
    arguments: dict[str, object], sentence: str
) -> None:
    assert violation(arguments) == sentence


def test_every_violation_is_named() -> None:
    assert violation({"expression": 7, "timeout_seconds": 0}).count(";") == 1


def test_a_long_wrong_value_is_cut() -> None:
    assert len(violation({"expression": ["x" * 10_000]})) < 200


@pytest.mark.parametrize(
    "definition",
    [
        {"$ref": "https://example.com/schema.json"},
        {"properties": {"a": {"items": [{"$ref": "file:///etc/passwd"}]}}},
    ],
)
def test_a_schema_elsewhere_is_refused_and_not_fetched(definition: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="refer only to itself"):
        Schema(definition)


def test_a_schema_may_refer_to_itself() -> None:
    schema = Schema({"$defs": {"name": {"type": "string"}}, "properties": {"name": {"$ref": "#/$defs/name"}}})
    with pytest.raises(SchemaViolation):
        schema.check({"name": 1})


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
