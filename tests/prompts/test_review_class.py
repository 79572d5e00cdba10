"""Prompt `review-class`."""

import pytest

from image.servers import Answer, asking, exchange, value
from pharo_mcp.prompts import review_class_prompt
from pharo_mcp.protocol import Call, InvalidArguments, PromptResult, TextContent

DETAILS = exchange("class_details")


def rendered(answer: Answer = DETAILS, **arguments: str) -> tuple[PromptResult, str]:
    """The prompt, and the text of its only message."""
    with asking(**{"class": answer}) as image:
        result = review_class_prompt(image).get(arguments, Call())
    [message] = result.messages
    assert message.role == "user"
    assert isinstance(message.content, TextContent)
    return result, message.content.text


def test_it_carries_the_class_as_it_is_in_the_image() -> None:
    result, text = rendered(className="PmcExampleCircle")
    assert result.description == "Code review for PmcExampleCircle"
    assert text.startswith("Please review the class PmcExampleCircle.")
    assert "PmcExampleShape << #PmcExampleCircle\n\ttraits: {TPmcExampleColored};" in text
    assert "I am a circle, for the tests of class details." in text
    assert "Look above all at" not in text


def test_the_focus_is_in_it() -> None:
    _, text = rendered(className="PmcExampleCircle", focus="naming")
    assert "Look above all at this: naming" in text


def test_a_class_without_a_comment_is_said_to_have_none() -> None:
    _, body = DETAILS(None)
    _, text = rendered(lambda _: value({**body["value"], "comment": ""}), className="PmcExampleCircle")
    assert "It has no comment." in text


def test_a_class_that_is_not_there_is_a_wrong_argument() -> None:
    with (
        asking(**{"class": exchange("class_unknown")}) as image,
        pytest.raises(InvalidArguments, match="PmcExampleCircle"),
    ):
        review_class_prompt(image).get({"className": "PmcExampleCircel"}, Call())
