"""What clients and models send in place of what a schema wants."""

import pytest

from pharo_mcp.protocol.schema import Schema, SchemaViolation

METHOD = {
    "type": "object",
    "properties": {"source": {"type": "string"}, "line": {"type": "integer"}},
    "required": ["source"],
}
SCHEMA = Schema(
    {
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "id": {"type": "string", "minLength": 1},
            "word": {"type": "string", "pattern": r"\S"},
            "side": {"type": "string", "enum": ["instance", "class"]},
            "line": {"type": "integer"},
            "seconds": {"type": "number", "default": 20},
            "deep": {"type": "boolean", "default": False},
            "tags": {"type": "array", "items": {"type": "string"}},
            "lines": {"type": "array", "items": {"type": "integer"}},
            "flags": {"type": "array", "items": {"type": "boolean"}},
            "grid": {"type": "array", "items": {"type": "array", "items": {"type": "number"}}},
            "methods": {"type": "array", "items": METHOD},
            "sources": {"type": "array", "items": {**METHOD, "type": ["string", "object"]}},
            "method": METHOD,
            "path": {"type": "array", "items": {"type": ["string", "integer"]}},
        },
    }
)


@pytest.mark.parametrize(
    ("argument", "sent", "meant"),
    [
        ("seconds", "1", 1),
        ("seconds", " 1.5\n", 1.5),
        ("seconds", "-1e3", -1000.0),
        ("seconds", 2.0, 2.0),
        ("line", 2.0, 2),
        ("line", -2.0, -2),
        ("line", "2", 2),
        ("line", "2.0", 2),
        ("line", 1e20, 10**20),
        ("deep", "true", True),
        ("deep", " False ", False),
        ("deep", "TRUE", True),
        ("tags", '["till", "amount"]', ["till", "amount"]),
        ("tags", "[]", []),
        ("tags", "till", ["till"]),
        ("tags", '"till"', ["till"]),
        ("tags", "true", ["true"]),
        ("tags", "7", ["7"]),
        ("lines", '["1", 2.0, 3]', [1, 2, 3]),
        ("lines", ["1", 2.0, 3], [1, 2, 3]),
        ("lines", "7", [7]),
        ("flags", "true", [True]),
        ("grid", '[["1"], "2"]', [[1], [2]]),
        ("method", '{"source": "a", "line": "3"}', {"source": "a", "line": 3}),
        ("methods", '[{"source": "a", "line": 3.0}]', [{"source": "a", "line": 3}]),
        ("methods", {"source": "a", "line": "3"}, [{"source": "a", "line": 3}]),
        ("methods", '{"source": "a"}', [{"source": "a"}]),
        ("methods", ['{"source": "a"}'], [{"source": "a"}]),
        ("methods", [{"source": "a", "line": None}], [{"source": "a"}]),
        ("methods", [{"source": "a", "line": ""}], [{"source": "a"}]),
        ("sources", "total ^ 42", ["total ^ 42"]),
        ("sources", '{"source": "a"}', [{"source": "a"}]),
        ("sources", "{ #category : 'x' } total [ ^ 42 ]", ["{ #category : 'x' } total [ ^ 42 ]"]),
        ("path", [2.0, "2"], [2, "2"]),
        ("path", "[1, \"a\"]", [1, "a"]),
        ("name", "7", "7"),
        ("name", "true", "true"),
        ("name", "[]", "[]"),
        ("name", "", ""),
    ],
)  # fmt: skip
def test_what_can_mean_only_one_thing_is_taken_as_that(argument: str, sent: object, meant: object) -> None:
    coerced = SCHEMA.coerce({argument: sent})
    assert coerced == {argument: meant}
    assert repr(SCHEMA.check(coerced)[argument]) == repr(meant)


@pytest.mark.parametrize(
    ("argument", "sent"),
    [
        *[
            (argument, nothing)
            for argument in ("line", "seconds", "deep", "tags", "methods", "method", "side", "id")
            for nothing in (None, "")
        ],
        ("name", None),
        ("word", "  \n"),
        ("line", " "),
        ("tags", "\t"),
    ],
)
def test_an_optional_argument_that_stands_for_nothing_is_left_out(argument: str, sent: object) -> None:
    assert SCHEMA.coerce({argument: sent}) == {}
    assert SCHEMA.check(SCHEMA.coerce({argument: sent})) == {"seconds": 20, "deep": False}


@pytest.mark.parametrize(
    ("argument", "sent", "sentence"),
    [
        ("line", 2.5, "`line` must be an integer, not 2.5"),
        ("line", "2.5", '`line` must be an integer, not "2.5"'),
        ("line", "two", '`line` must be an integer, not "two"'),
        ("line", "0x10", '`line` must be an integer, not "0x10"'),
        ("line", True, "`line` must be an integer, not true"),
        ("line", "true", '`line` must be an integer, not "true"'),
        ("line", [2], "`line` must be an integer, not [2]"),
        ("line", "9" * 5000, f'`line` must be an integer, not "{"9" * 79}…'),
        ("seconds", "NaN", '`seconds` must be a number, not "NaN"'),
        ("seconds", "1e400", '`seconds` must be a number, not "1e400"'),
        ("seconds", "1 2", '`seconds` must be a number, not "1 2"'),
        ("deep", 1, "`deep` must be a boolean, not 1"),
        ("deep", "1", '`deep` must be a boolean, not "1"'),
        ("deep", "yes", '`deep` must be a boolean, not "yes"'),
        ("name", 7, "`name` must be a string, not 7"),
        ("tags", 7, "`tags` must be an array, not 7"),
        ("tags", "['till']", "`tags` must be an array, not \"['till']\""),
        ("tags", "{ #till }", '`tags` must be an array, not "{ #till }"'),
        ("tags", '["till"', '`tags` must be an array, not "[\\"till\\""'),
        ("tags", "null", '`tags` must be an array, not "null"'),
        ("tags", '["a", 1]', "`tags[1]` must be a string, not 1"),
        ("tags", ["a", None], "`tags[1]` must be a string, not null"),
        ("tags", {"a": 1}, '`tags` must be an array, not {"a": 1}'),
        ("lines", "x", '`lines` must be an array, not "x"'),
        ("lines", [2.5], "`lines[0]` must be an integer, not 2.5"),
        ("lines", "[" * 100_000, '`lines` must be an array, not "[[['),
        ("method", "total", '`method` must be an object, not "total"'),
        ("method", {"source": None}, "`method.source` must be a string, not null"),
        ("methods", "total", '`methods` must be an array, not "total"'),
    ],
)  # fmt: skip
def test_what_cannot_be_understood_is_refused_as_it_was_sent(
    argument: str, sent: object, sentence: str
) -> None:
    coerced = SCHEMA.coerce({argument: sent})
    with pytest.raises(SchemaViolation) as caught:
        SCHEMA.check(coerced)
    assert sentence in str(caught.value)


@pytest.mark.parametrize("nothing", [None, "", " "])
def test_a_required_argument_that_stands_for_nothing_is_refused(nothing: object) -> None:
    schema = Schema({"type": "object", "properties": {"line": {"type": "integer"}}, "required": ["line"]})
    with pytest.raises(SchemaViolation, match="`line` must be an integer, not "):
        schema.check(schema.coerce({"line": nothing}))


def test_unknown_arguments_are_left_for_the_schema_to_refuse() -> None:
    schema = Schema({"type": "object", "properties": {}, "additionalProperties": False})
    with pytest.raises(SchemaViolation, match="`zork` is not a known argument"):
        schema.check(schema.coerce({"zork": None}))


def test_the_arguments_that_were_sent_stay_as_they_are() -> None:
    sent: dict[str, object] = {"methods": [{"source": "a", "line": "3"}], "side": None}
    SCHEMA.coerce(sent)
    assert sent == {"methods": [{"source": "a", "line": "3"}], "side": None}
