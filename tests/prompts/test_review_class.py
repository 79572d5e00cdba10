"""Prompt `review-class`, and the code that prompts include."""

from typing import Any

from image.servers import Answer, Reply, asking, exchange, value
from pharo_mcp.prompts import review_class_prompt
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import PromptResult
from pharo_mcp.protocol.tools import TextContent

DETAILS = exchange("class_details")
METHOD = exchange("method")


def rendered(answer: Answer = DETAILS, **arguments: str) -> tuple[PromptResult, str]:
    """The prompt, and the text of its only message."""
    with asking(**{"class": answer, "method": method}) as image:
        result = review_class_prompt(image).get(arguments, Call())
    [message] = result.messages
    assert message.role == "user"
    assert isinstance(message.content, TextContent)
    return result, message.content.text


def method(body: Any) -> Reply:
    """A method of whatever selector, longer than all others for `huge`."""
    _, reply = METHOD(None)
    source = f"{body['selector']}\n\t^ self" + "." * (50_000 if body["selector"] == "huge" else 0)
    return value({**reply["value"], "selector": body["selector"], "side": body["side"], "source": source})


def test_it_carries_the_class_as_it_is_in_the_image() -> None:
    result, text = rendered(className="PmcExampleCircle")
    assert result.description == "Code review for PmcExampleCircle"
    assert text.startswith("Please review the class PmcExampleCircle.")
    assert "PmcExampleShape << #PmcExampleCircle\n\ttraits: {TPmcExampleColored};" in text
    assert "I am a circle, for the tests of class details." in text
    assert "Focus on" not in text


def test_it_carries_the_source_of_the_methods_of_both_sides() -> None:
    _, text = rendered(className="PmcExampleCircle")
    assert "`PmcExampleCircle>>area`\n\n```smalltalk\narea\n\t^ self\n```" in text
    assert "`PmcExampleCircle class>>radius:`\n\n```smalltalk\nradius:\n\t^ self\n```" in text


def test_methods_that_are_too_many_are_named() -> None:
    _, body = DETAILS(None)
    protocols = [{"name": "all", "selectors": ["huge", "next", "last"]}]
    details = value({**body["value"], "protocols": protocols, "classProtocols": []})
    _, text = rendered(lambda _: details, className="PmcExampleCircle")
    assert text.endswith(
        "Further methods, whose source `read_code` shows: PmcExampleCircle>>next, PmcExampleCircle>>last"
    )


def test_the_focus_is_in_it() -> None:
    _, text = rendered(className="PmcExampleCircle", focus="naming")
    assert "Focus on: naming" in text


def test_missing_comments_and_methods_are_mentioned() -> None:
    _, body = DETAILS(None)
    bare = {**body["value"], "comment": "", "protocols": [], "classProtocols": []}
    _, text = rendered(lambda _: value(bare), className="PmcExampleCircle")
    assert "It has no comment." in text
    assert "It has no methods." in text
