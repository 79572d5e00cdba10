"""Which parameters clients repeat in headers, and which annotations make a tool unusable for them."""

import pytest

from pharo_mcp.protocol.headers import header_parameters, text_in_header

REGION = {"type": "string", "x-mcp-header": "Region"}


def schema(**properties: object) -> dict[str, object]:
    return {"type": "object", "properties": properties}


def test_a_parameter_is_found_by_its_path() -> None:
    count = {"type": "integer", "x-mcp-header": "X-Count"}
    nested = schema(where=schema(region=REGION), count=count, plain={"type": "string"})
    assert header_parameters(nested) == {("where", "region"): "Region", ("count",): "X-Count"}
    assert header_parameters({"type": "object"}) == {}


def test_a_parameter_may_be_named_like_the_annotation() -> None:
    assert header_parameters(schema(**{"x-mcp-header": {"type": "string"}})) == {}


@pytest.mark.parametrize(
    "faulty",
    [
        schema(region={**REGION, "x-mcp-header": ""}),
        schema(region={**REGION, "x-mcp-header": "a b"}),
        schema(region={**REGION, "x-mcp-header": "a\r\nb"}),
        schema(region={**REGION, "x-mcp-header": 7}),
        schema(region={**REGION, "type": "number"}),
        schema(region={"x-mcp-header": "Region"}),
        schema(region=REGION, other={**REGION, "x-mcp-header": "region"}),
        schema(all={"type": "array", "items": REGION}),
        {**schema(), "x-mcp-header": "Region"},
        {**schema(), "allOf": [schema(region=REGION)]},
        {**schema(), "$defs": {"region": REGION}},
    ],
    ids=str,
)
def test_an_annotation_that_clients_refuse_is_refused(faulty: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="x-mcp-header"):
        header_parameters(faulty)


@pytest.mark.parametrize(
    ("value", "text"),
    [("eu", "eu"), (True, "true"), (False, "false"), (-7, "-7"), (None, None), (1.5, None), ([], None)],
)
def test_a_value_as_a_header_says_it(value: object, text: str | None) -> None:
    assert text_in_header(value) == text
