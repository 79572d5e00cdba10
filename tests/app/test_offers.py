"""What is offered, and what becomes of an image's errors."""

from typing import Any

import pytest

from image.servers import asking, exchange, nobodys_port
from pharo_mcp.app.offers import offers_for
from pharo_mcp.image import Address, ImageClient, at
from pharo_mcp.protocol import NEWEST_LEGACY, Call, Offers, TextContent, ToolError


@pytest.fixture
def offers() -> Offers:
    """What is offered of an image that is not there."""
    return offers_for(ImageClient(at(Address(nobodys_port(), "none"))))


def text(offers: Offers, tool: str, **arguments: object) -> str:
    """The text of an error result."""
    found = offers.find_tool(tool)
    assert found is not None
    result = found.call(arguments, Call())
    assert result.is_error
    [content] = result.contents
    assert isinstance(content, TextContent)
    return content.text


def test_all_of_it_has_a_name_for_people_and_words_for_the_model(offers: Offers) -> None:
    everything: tuple[Any, ...] = (*offers.tools, *offers.resources, *offers.templates, *offers.prompts)
    for offered in everything:
        assert offered.title
        assert len(offered.description) > 40


def test_every_tool_says_what_it_can_change_and_what_its_arguments_are(offers: Offers) -> None:
    for tool in offers.tools:
        listed = tool.encode(NEWEST_LEGACY)
        assert (
            tool.annotations["readOnlyHint"]
            or {"destructiveHint", "idempotentHint"} <= tool.annotations.keys()
        )
        assert "openWorldHint" in tool.annotations
        assert tool.input_schema.definition["additionalProperties"] is False
        properties = tool.input_schema.definition["properties"]
        assert isinstance(properties, dict)
        assert all(each["description"] for each in properties.values())
        assert "outputSchema" not in listed


def test_structured_answers_are_described() -> None:
    for tool in offers_for(ImageClient(at(Address(1, "none"))), structured=True).tools:
        assert tool.output_schema is not None


def test_an_image_that_is_not_there_is_an_error_result_of_every_tool(offers: Offers) -> None:
    for tool, arguments in (
        ("evaluate", {"expression": "3 + 4"}),
        ("get_class", {"class_name": "Object"}),
        ("get_version", {}),
    ):
        assert "nothing listens there" in text(offers, tool, **arguments)


def test_and_an_error_of_every_resource_and_prompt_with_its_kind(offers: Offers) -> None:
    for uri in ("pharo://system/version", "pharo://class/Object"):
        with pytest.raises(ToolError, match="nothing listens there") as raised:
            offers.read(uri, Call())
        assert raised.value.kind == "unreachable"
    [prompt] = offers.prompts
    with pytest.raises(ToolError, match="nothing listens there"):
        prompt.get({"className": "Object"}, Call())


@pytest.mark.parametrize(
    ("name", "first_line"),
    [
        ("evaluate_zero_divide", "ZeroDivide"),
        ("evaluate_not_understood", "MessageNotUnderstood: #foo was sent to nil"),
        ("evaluate_syntax_error", "Syntax error: Variable or expression expected (line 2, column 10)"),
        ("evaluate_undeclared", "Undeclared variable: zork (line 1, column 1)"),
        ("evaluate_halt", "Halt"),
        ("evaluate_timeout", "The evaluation was ended after 0.5 seconds."),
    ],
)
def test_the_cause_is_in_the_first_line_of_the_text(name: str, first_line: str) -> None:
    with asking(evaluate=exchange(name)) as image:
        assert text(offers_for(image), "evaluate", expression="x").splitlines()[0] == first_line


def test_programs_are_told_the_parts_of_an_error() -> None:
    with asking(**{"class": exchange("class_unknown")}) as image:
        [prompt] = offers_for(image).prompts
        with pytest.raises(ToolError) as raised:
            prompt.get({"className": "PmcExampleCircel"}, Call())
    assert raised.value.kind == "unknownClass"
    assert raised.value.details["near"] == ["PmcExampleCircle"]
