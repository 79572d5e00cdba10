"""The outcome of an evaluation as text."""

import pytest

from image.servers import (
    STATUS,
    Answer,
    Reply,
    asking,
    client_at,
    exchange,
    politely_until,
    rude,
    running,
    value,
)
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import TextContent
from pharo_mcp.tools.evaluating import evaluate as evaluate_tool
from pharo_mcp.tools.evaluating import get_evaluation as get_evaluation_tool


def blocks(evaluate: Answer, **more: Answer) -> list[str]:
    """Return the texts of an evaluation's result."""
    with asking(evaluate=evaluate, **more) as image:
        result = evaluate_tool.make(image).call({"expression": "x"}, Call())
    return [content.text for content in result.contents if isinstance(content, TextContent)]


def answering(**more: object) -> Answer:
    return lambda _: value({"printString": "'abc", "className": "ByteString", "evaluation": "e-1", **more})


def test_a_value_is_its_print_string_alone() -> None:
    assert blocks(answering()) == ["'abc"]


def test_a_long_print_string_is_cut_with_its_length_its_id_and_a_hint_at_the_rest_before_it() -> None:
    [text] = blocks(answering(length=12345, objectId="o-17"))
    assert text.splitlines() == [
        "Characters 1 to 4 of 12,345. For the rest, call get_evaluation with evaluation_id e-1 and offset 4. "
        "The resource pharo://evaluation/e-1 has all of it.",
        "object_id: o-17, of class ByteString; inspect_object shows its parts.",
        "",
        "'abc",
    ]


def test_incomplete_printing_is_reported() -> None:
    [text] = blocks(answering(length=200000, lengthIsAtLeast=True))
    assert "of at least 200,000 (printing was stopped there)." in text


@pytest.mark.parametrize(
    ("offset", "length", "note"),
    [(8, 12, "Characters 9 to 12 of 12."), (4, 12, "Characters 5 to 8 of 12. For the rest")],
)
def test_a_later_part_is_shown_with_its_position(offset: int, length: int, note: str) -> None:
    with asking(evaluation=answering(length=length)) as image:
        tool = get_evaluation_tool.make(image)
        [content] = tool.call({"evaluation_id": "e-1", "offset": offset}, Call()).contents
    assert isinstance(content, TextContent)
    assert content.text.startswith(note)
    assert ("offset 8" in content.text) is (offset == 4)


def test_an_object_is_named_by_its_id() -> None:
    [text] = blocks(answering(objectId="o-17"))
    assert text.splitlines()[2].startswith("object_id: o-17, of class ByteString; inspect_object ")


@pytest.mark.parametrize(
    ("more", "head"),
    [({}, "Transcript:"), ({"transcriptLength": 20000}, "Transcript (the last 6 of 20,000 characters):")],
)
def test_the_transcript_is_a_block_of_its_own(more: dict[str, object], head: str) -> None:
    assert blocks(answering(transcript="hello\n", **more)) == ["'abc", f"{head}\nhello\n"]


def test_an_error_is_shown_with_its_transcript() -> None:
    def failed(_: object) -> Reply:
        error = {"kind": "exception", "class": "Error", "messageText": "no", "transcript": "hello\n"}
        return 200, {"ok": False, "error": error}

    assert blocks(failed) == ["Error: no", "Transcript:\nhello\n"]


def test_a_running_evaluation_is_shown_with_its_id_and_the_next_steps() -> None:
    first, second = blocks(running(40.0, "hello\n"))
    assert first.splitlines()[0] == "Still running after 40.0 seconds; evaluation_id: e-1"
    assert "get_evaluation" in first
    assert "stop_evaluation" in first
    assert second == "Transcript:\nhello\n"


def interface(**more: object) -> Answer:
    return lambda _: value({**STATUS, "userInterface": {"present": True, "answers": False, **more}})


@pytest.mark.parametrize(
    ("status", "sentence"),
    [
        (interface(debuggers=["ZeroDivide"], dialogs=[]), "blocked by the debugger 'ZeroDivide': code"),
        (interface(dialogs=["Save?"]), "blocked by the dialog 'Save?': code"),
        (interface(), "its process is busy"),
        (interface(answers=True, debuggers=["ZeroDivide"]), None),
        (interface(present=False), None),
    ],
)
@pytest.mark.parametrize("evaluate", [running(40.0), exchange("evaluate_timeout")])
def test_a_blocked_user_interface_is_reported_as_a_possible_cause(
    evaluate: Answer, status: Answer, sentence: str | None
) -> None:
    [text] = blocks(evaluate, status=status)
    assert ("user interface" in text) is (sentence is not None)
    assert sentence is None or sentence in text


def test_a_lost_answer_may_have_run() -> None:
    with rude(politely_until("/evaluate", lambda _: None)) as address, client_at(address) as image:
        result = evaluate_tool.make(image).call({"expression": "x"}, Call())
    [content] = result.contents
    assert result.is_error
    assert isinstance(content, TextContent)
    assert "may have run" in content.text


def test_a_lost_answer_has_its_kind() -> None:
    with rude(politely_until("/evaluate", lambda _: None)) as address, client_at(address) as image:
        result = evaluate_tool.make(image).call({"expression": "x"}, Call())
    assert result.error is not None
    assert result.error["kind"] == "answerLost"
