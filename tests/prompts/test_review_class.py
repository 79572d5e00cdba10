"""Prompt `review-class`, and the code that prompts include."""

from image.servers import Answer, Remembering, asking, exchange, value
from pharo_mcp.prompts import review_class
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import PromptResult, TextContent

CODE = value({"text": "Circle >> area [ ^ 3 ]", "total": 1, "offset": 0, "shown": 1})


def rendered(code: Answer = lambda _: CODE, **arguments: str) -> tuple[PromptResult, str]:
    """The prompt, and the text of its only message."""
    with asking(**{"class": exchange("class_details"), "code": code}) as image:
        result = review_class.make(image).get(arguments, Call())
    [message] = result.messages
    assert message.role == "user"
    assert isinstance(message.content, TextContent)
    return result, message.content.text


def test_it_carries_the_class_as_it_is_in_the_image() -> None:
    code = Remembering(lambda _: CODE)
    result, text = rendered(code, className="PmcExampleCircle")
    assert result.description == "Code review for PmcExampleCircle"
    assert text.startswith("Please review the class PmcExampleCircle.")
    assert "PmcExampleCircle in the image:\n\n```smalltalk\nCircle >> area [ ^ 3 ]\n```" in text
    assert "Focus on" not in text
    assert code.asked == [{"items": ["PmcExampleCircle"], "detail": "source", "maxCharacters": 40_000}]


def test_methods_that_are_too_many_are_counted() -> None:
    _, text = rendered(lambda _: value({"text": "…", "total": 7, "offset": 0, "shown": 5}), className="Zoo")
    assert text.endswith("2 further methods are left out; `read_code` shows them.")


def test_the_focus_is_in_it() -> None:
    _, text = rendered(className="PmcExampleCircle", focus="naming")
    assert "Focus on: naming" in text
