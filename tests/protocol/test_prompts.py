from collections.abc import Mapping

import pytest

from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import (
    InvalidArguments,
    Prompt,
    PromptArgument,
    PromptMessage,
    PromptResult,
    TextContent,
)
from pharo_mcp.protocol.revisions import LEGACY_REVISIONS, NEWEST_LEGACY


def render(arguments: Mapping[str, str], call: Call) -> PromptResult:
    how = arguments.get("how", "kindly")
    return PromptResult("A greeting", (PromptMessage(TextContent(f"Greet {arguments['who']} {how}.")),))


PROMPT = Prompt(
    name="greet",
    title="Greet",
    description="Greets somebody.",
    arguments=(PromptArgument("who", "Whom to greet", required=True), PromptArgument("how", "In which way")),
    render=render,
)


def test_a_prompt_is_rendered_with_its_blanks_filled() -> None:
    assert PROMPT.get({"who": "Ada"}, Call()).encode() == {
        "description": "A greeting",
        "messages": [{"role": "user", "content": {"type": "text", "text": "Greet Ada kindly."}}],
    }


@pytest.mark.parametrize("nothing", [None, "", " \n"])
def test_an_argument_that_stands_for_nothing_is_left_out(nothing: object) -> None:
    assert PROMPT.get({"who": "Ada", "how": nothing}, Call()) == PROMPT.get({"who": "Ada"}, Call())
    with pytest.raises(InvalidArguments, match="prompt greet needs the argument who"):
        PROMPT.get({"who": nothing}, Call())


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({}, "prompt greet needs the argument who"),
        ({"who": 7}, "argument who of prompt greet must be a string"),
        ({"who": "Ada", "why": "so"}, "prompt greet has no argument why"),
    ],
)
def test_invalid_arguments_are_reported(arguments: dict[str, object], sentence: str) -> None:
    with pytest.raises(InvalidArguments, match=sentence):
        PROMPT.get(arguments, Call())


def test_a_prompt_is_listed_with_its_arguments() -> None:
    newest = PROMPT.encode(NEWEST_LEGACY)
    assert newest == {
        "name": "greet",
        "title": "Greet",
        "description": "Greets somebody.",
        "arguments": [
            {"name": "who", "description": "Whom to greet", "required": True},
            {"name": "how", "description": "In which way", "required": False},
        ],
    }
    assert newest.keys() - PROMPT.encode(LEGACY_REVISIONS["2025-03-26"]).keys() == {"title"}
