"""Tool `evaluate`."""

from typing import Any

import pytest

from image.servers import Reply, asking, exchange, seven
from pharo_mcp.image import SmalltalkError
from pharo_mcp.protocol import Call, TextContent
from pharo_mcp.tools import evaluate_tool


def test_it_answers_the_print_string() -> None:
    with asking(evaluate=exchange("evaluate_three_plus_four")) as image:
        result = evaluate_tool(image, structured=False).call({"expression": "3 + 4"}, Call())
    assert result == ((TextContent("7"),), None, False)


@pytest.mark.parametrize(
    ("arguments", "limit"), [({}, 20), ({"timeout_seconds": 0.5}, 0.5), ({"timeout_seconds": 40}, 40)]
)
def test_it_asks_with_the_limit_that_was_given(arguments: dict[str, object], limit: float) -> None:
    asked: list[Any] = []

    def remember(body: Any) -> Reply:
        asked.append(body)
        return seven(body)

    with asking(evaluate=remember) as image:
        evaluate_tool(image, structured=False).call({"expression": "3 + 4", **arguments}, Call())
    assert asked == [{"expression": "3 + 4", "timeoutSeconds": limit}]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({}, "expression"),
        ({"expression": 42}, "expression"),
        ({"expression": "3", "timeout_seconds": 0}, "timeout_seconds"),
        ({"expression": "3", "timeout_seconds": 41}, "timeout_seconds"),
        ({"expression": "3", "timeout_seconds": "20"}, "timeout_seconds"),
        ({"expression": "3", "code": "4"}, "code"),
    ],
)
def test_arguments_that_do_not_fit_reach_no_image(arguments: dict[str, object], named: str) -> None:
    with asking() as image:
        result = evaluate_tool(image, structured=False).call(arguments, Call())
    assert result.is_error
    assert isinstance(result.contents[0], TextContent)
    assert f"`{named}`" in result.contents[0].text


def test_warnings_come_below_the_value() -> None:
    def warned(_: object) -> Reply:
        status, body = seven(None)
        return status, {**body, "warnings": ["Deprecation: use foo"]}

    with asking(evaluate=warned) as image:
        result = evaluate_tool(image, structured=False).call({"expression": "3 + 4"}, Call())
    assert result.contents == (TextContent("7\n\nWarnings:\nDeprecation: use foo"),)


def test_for_programs_it_repeats_itself_as_its_schema_says() -> None:
    with asking(evaluate=seven) as image:
        tool = evaluate_tool(image, structured=True)
        result = tool.call({"expression": "3 + 4"}, Call())
    assert tool.output_schema is not None
    assert result.structured is not None
    assert tool.output_schema.check(result.structured) == {
        "printString": "7",
        "className": "SmallInteger",
        "warnings": [],
    }


def test_what_the_code_signals_goes_up() -> None:
    with asking(evaluate=exchange("evaluate_zero_divide")) as image:
        tool = evaluate_tool(image, structured=False)
        with pytest.raises(SmalltalkError, match=r"\AZeroDivide\nReceiver: 1\nSelector: /\nStack:\n"):
            tool.call({"expression": "1/0"}, Call())
