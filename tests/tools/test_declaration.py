"""What tools declare, and what of it is listed."""

from typing import cast

import pytest

from pharo_mcp.address import Address
from pharo_mcp.app.catalog import catalog_for
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.images import at
from pharo_mcp.protocol.schema import SchemaViolation
from pharo_mcp.tools.declaration import flag, integer, names, number, schema_of_arguments, string
from tools.listed import beyond_the_subset

SCHEMA = schema_of_arguments(
    ("minimum",),
    minimum=string("A property with the name of a rule."),
    limit=integer("Results per page.", minimum=1, maximum=500, default=50),
    offset=integer("Elements to skip.", minimum=0, default=0),
    timeout_seconds=number("Seconds until it ends.", exclusiveMinimum=0),
    preview=flag("Only report the impact.", default=True),
    force=flag("Remove it all the same.", default=False),
    sources={**names("Sources."), "minItems": 1},
    wait_seconds=number("Seconds to wait.", minimum=0, maximum=45),
)


def test_limits_that_few_calls_break_and_defaults_that_one_expects_are_not_listed() -> None:
    assert SCHEMA.listed == {
        "type": "object",
        "properties": {
            "minimum": {"type": "string", "description": "A property with the name of a rule."},
            "limit": {"type": "integer", "default": 50, "description": "Results per page."},
            "offset": {"type": "integer", "description": "Elements to skip."},
            "timeout_seconds": {"type": "number", "description": "Seconds until it ends."},
            "preview": {"type": "boolean", "default": True, "description": "Only report the impact."},
            "force": {"type": "boolean", "description": "Remove it all the same."},
            "sources": {
                "type": "array",
                "items": {"type": "string"},
                "description": "Sources.",
            },
            "wait_seconds": {"type": "number", "description": "Seconds to wait."},
        },
        "required": ["minimum"],
    }


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        ({"minimum": ""}, "`minimum` must not be empty"),
        ({"minimum": "x", "limit": 0}, "`limit` must be at least 1, not 0"),
        ({"minimum": "x", "limit": 501}, "`limit` must be at most 500, not 501"),
        ({"minimum": "x", "timeout_seconds": 0}, "`timeout_seconds` must be more than 0, not 0"),
        ({"minimum": "x", "sources": []}, "`sources` must not be empty"),
        ({"minimum": "x", "wait_seconds": 46}, "`wait_seconds` must be at most 45, not 46"),
        ({"minimum": "x", "zork": 1}, "`zork` is not a known argument"),
    ],
)
def test_what_is_not_listed_is_checked(arguments: dict[str, object], why: str) -> None:
    with pytest.raises(SchemaViolation, match=why):
        SCHEMA.check(arguments)


def test_defaults_that_are_not_listed_apply() -> None:
    checked = SCHEMA.check({"minimum": "x"})
    assert (checked["offset"], checked["force"]) == (0, False)


SCHEMAS = {tool.name: tool.input_schema for tool in catalog_for(ImageClient(at(Address(9, "none")))).tools}


@pytest.mark.parametrize("tool", SCHEMAS)
def test_what_is_listed_has_one_type_everywhere(tool: str) -> None:
    assert list(beyond_the_subset(SCHEMAS[tool].listed)) == []


MAY_BE_EMPTY = {("evaluate", "expression")}
"""An empty expression is nil."""
STRINGS = [
    (tool, argument)
    for tool, schema in SCHEMAS.items()
    for argument, rules in cast(dict[str, dict[str, object]], schema.definition["properties"]).items()
    if "string" in cast(str | list[str], rules["type"]) and (tool, argument) not in MAY_BE_EMPTY
]


@pytest.mark.parametrize("blank", ["", " \n"])
@pytest.mark.parametrize(("tool", "argument"), STRINGS)
def test_an_empty_string_is_refused_or_counts_as_left_out(tool: str, argument: str, blank: str) -> None:
    schema = SCHEMAS[tool]
    required = dict.fromkeys(cast(list[str], schema.definition.get("required", [])), "over")
    arguments = schema.coerce({**required, argument: blank})
    if argument in required:
        with pytest.raises(SchemaViolation, match=f"`{argument}` must "):
            schema.check(arguments)
    else:
        assert arguments == schema.coerce(required)


@pytest.mark.parametrize("tool", SCHEMAS)
def test_no_array_has_an_empty_string(tool: str) -> None:
    properties = cast(dict[str, dict[str, object]], SCHEMAS[tool].definition["properties"])
    for argument in properties:
        if properties[argument]["type"] == "array" and argument != "path":
            with pytest.raises(SchemaViolation, match=rf"`{argument}\[0\]` must "):
                SCHEMAS[tool].check({argument: [" "]})
