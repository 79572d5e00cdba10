"""Long contents that a tool of the image returns."""

import pytest

from image.servers import Answer, asking, value
from pharo_mcp.image.replies.registrations import RegisteredTool
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import OtherContent, TextContent, ToolResult
from pharo_mcp.tools.all import registered_tool as tool_of
from pharo_mcp.tools.evaluating import get_evaluation as get_evaluation_tool

PICTURE = {"type": "image", "data": "AQID", "mimeType": "image/png"}
REGISTERED = RegisteredTool("order_total", "Total of an order.", {"type": "object"})


def answering(*contents: dict[str, str], **more: object) -> Answer:
    return lambda _: value({"evaluation": "e-1", "contents": list(contents), **more})


def text(written: str) -> dict[str, str]:
    return {"type": "text", "text": written}


def called(answer: Answer) -> ToolResult:
    with asking(**{"registrations/call": answer}) as image:
        return tool_of(image, REGISTERED).call({}, Call())


def followed(answer: Answer, **given: int) -> ToolResult:
    with asking(evaluation=answer) as image:
        return get_evaluation_tool.make(image).call({"evaluation_id": "e-1", **given}, Call())


def test_a_long_text_of_a_registered_tool_is_cut_with_a_hint_at_the_rest() -> None:
    assert called(answering(text("x" * 9_001))).contents == (
        TextContent("x" * 9_000),
        TextContent(
            "Characters 1 to 9,000 of 9,001. For the rest, call get_evaluation with evaluation_id e-1 and "
            "offset 9000. The resource pharo://evaluation/e-1 has all of it."
        ),
    )


@pytest.mark.parametrize("length", [0, 9_000])
def test_a_text_that_is_not_too_long_is_whole(length: int) -> None:
    assert called(answering(text("x" * length))).contents == (TextContent("x" * length),)


def test_all_texts_together_are_bounded_and_other_contents_are_whole() -> None:
    book = {"type": "resource", "uri": "shop://7", "mimeType": "text/plain", "text": "b" * 4_500}
    result = called(answering(text("a" * 6_000), PICTURE, book, text("c"), transcript="told"))
    first, picture, second, note, transcript = result.contents
    assert first == TextContent("a" * 6_000)
    assert picture.encode() == PICTURE
    assert isinstance(second, OtherContent)
    assert second.members["resource"] == {"uri": "shop://7", "mimeType": "text/plain", "text": "b" * 3_000}
    assert "of 10,501." in str(note)
    assert transcript == TextContent("Transcript:\ntold")


def test_an_error_of_a_registered_tool_is_cut_as_well() -> None:
    result = called(answering(text("x" * 9_001), isError=True))
    assert result.is_error
    assert "Characters 1 to 9,000" in str(result.contents[1])


def test_the_rest_is_read_with_get_evaluation() -> None:
    answer = answering(text("abc"), PICTURE, text("defg"))
    result = followed(answer, offset=2, max_characters=3)
    assert result.contents == (
        TextContent("c"),
        TextContent("de"),
        TextContent(
            "Characters 3 to 5 of 7. For the rest, call get_evaluation with evaluation_id e-1 and offset 5. "
            "The resource pharo://evaluation/e-1 has all of it."
        ),
    )
    assert followed(answer, offset=5).contents == (TextContent("fg"), TextContent("Characters 6 to 7 of 7."))


def test_warnings_are_shown() -> None:
    assert called(answering(text("7"), warnings=["deprecated"])).contents[1:] == (
        TextContent("Warnings:\n    deprecated"),
    )
