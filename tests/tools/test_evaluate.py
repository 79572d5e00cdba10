"""Tool `evaluate`."""

import re
from typing import Any

import pytest

from image.servers import Answer, Remembering, Reply, asking, companion, exchange, running, seven, value
from pharo_mcp.image.client import ImageClient
from pharo_mcp.image.errors import ImageError
from pharo_mcp.image.images import at
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import ImageContent, TextContent
from pharo_mcp.tools.changing import edit_code as edit_code_tool
from pharo_mcp.tools.declaration import BuiltInTool
from pharo_mcp.tools.evaluating import evaluate as evaluate_tool
from pharo_mcp.tools.evaluating import get_evaluation as get_evaluation_tool
from pharo_mcp.tools.measuring import profile as profile_tool


def test_the_print_string_is_returned() -> None:
    with asking(evaluate=exchange("evaluate_three_plus_four")) as image:
        result = evaluate_tool.make(image).call({"expression": "3 + 4"}, Call())
    assert result.contents == (TextContent("7"),)


def test_it_sends_its_arguments_and_a_new_id() -> None:
    evaluate = Remembering(seven)
    given = {"timeout_seconds": 0.5, "receiver": "o-1", "process": "ui", "workspace": "mine"}
    with asking(evaluate=evaluate) as image:
        tool = evaluate_tool.make(image)
        tool.call({"expression": "3 + 4"}, Call())
        tool.call({"expression": "3 + 4", **given}, Call())
    first, second = evaluate.asked
    plain = {
        "expression": "3 + 4",
        "timeoutSeconds": 20,
        "waitSeconds": 40,
        "maxCharacters": 3000,
        "workspace": "default",
        "picture": False,
        "process": "background",
        "onError": "report",
        "evaluation": first["evaluation"],
    }
    more = {"timeoutSeconds": 0.5, "receiver": "o-1", "process": "ui", "workspace": "mine"}
    assert re.fullmatch("[a-z0-9-]{8,32}", first["evaluation"])
    assert first == plain
    assert second == {**plain, **more, "evaluation": second["evaluation"]}
    assert first["evaluation"] != second["evaluation"]


def test_tests_run_only_after_an_expression_that_succeeds() -> None:
    tests = Remembering(exchange("tests_of_several_names"))
    with asking(evaluate=exchange("evaluate_not_understood"), tests=tests) as image:
        result = evaluate_tool.make(image).call({"expression": "1 / 0", "tests": ["ShOrderTest"]}, Call())
    assert result.is_error
    assert result.contents[-1] == TextContent("No tests were run.")
    assert tests.asked == []


@pytest.mark.parametrize(
    ("names", "sent"),
    [(["ShOrderTest"], {"tests": ["ShOrderTest"]}), (["affected"], {"affected": True})],
)
def test_tests_follow_the_expression(names: list[str], sent: dict[str, object]) -> None:
    tests = Remembering(exchange("tests_of_several_names"))
    with asking(evaluate=seven, tests=tests) as image:
        evaluate_tool.make(image).call({"expression": "3 + 4", "tests": names}, Call())
    [asked] = tests.asked
    del asked["evaluation"]
    assert asked == sent


def test_no_call_waits_more_than_45_seconds() -> None:
    evaluate, profile, evaluation = Remembering(seven), Remembering(seven), Remembering(seven)
    with asking(evaluate=evaluate, profile=profile, evaluation=evaluation) as image:
        evaluate_tool.make(image).call({"expression": "3 + 4", "wait_seconds": 600}, Call())
        profile_tool.make(image).call({"expression": "3 + 4", "wait_seconds": 600}, Call())
        get_evaluation_tool.make(image).call({"evaluation_id": "e-1", "wait_seconds": 45.5}, Call())
    waits = [body["waitSeconds"] for tool in (evaluate, profile, evaluation) for body in tool.asked]
    assert waits == pytest.approx([45, 45, 45], abs=1)


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ({}, "expression"),
        ({"expression": 42}, "expression"),
        ({"expression": "3", "timeout_seconds": 0}, "timeout_seconds"),
        ({"expression": "3", "timeout_seconds": 3601}, "timeout_seconds"),
        ({"expression": "3", "timeout_seconds": "soon"}, "timeout_seconds"),
        ({"expression": "3", "wait_seconds": -1}, "wait_seconds"),
        ({"expression": "3", "process": "fast"}, "process"),
        ({"expression": "3", "on_error": "retry"}, "on_error"),
        ({"expression": "3", "code": "4"}, "code"),
    ],
)
def test_invalid_arguments_are_refused_without_a_request(arguments: dict[str, object], named: str) -> None:
    with asking() as image:
        result = evaluate_tool.make(image).call(arguments, Call())
    assert result.is_error
    assert isinstance(result.contents[0], TextContent)
    assert f"`{named}`" in result.contents[0].text


def test_the_default_time_limit_is_that_of_the_settings() -> None:
    evaluate = Remembering(seven)
    with companion(evaluate=evaluate) as there:
        image = ImageClient(at(there.address), limit=90)
        tool = evaluate_tool.make(image)
        tool.call({"expression": "3 + 4"}, Call())
        tool.call({"expression": "3 + 4", "timeout_seconds": 20}, Call())
        image.close()
    assert [asked["timeoutSeconds"] for asked in evaluate.asked] == [90, 20]


def test_warnings_come_below_the_value() -> None:
    def warned(_: object) -> Reply:
        status, body = seven(None)
        return status, {**body, "warnings": ["Deprecation: use foo"]}

    with asking(evaluate=warned) as image:
        result = evaluate_tool.make(image).call({"expression": "3 + 4"}, Call())
    assert result.contents == (TextContent("7\n\nWarnings:\nDeprecation: use foo"),)


def test_the_changes_of_code_that_it_made_are_named() -> None:
    changed = {"printString": "7", "className": "SmallInteger", "changes": [53, 54, 55, 57]}
    with asking(evaluate=lambda _: value(changed)) as image:
        [content] = evaluate_tool.make(image).call({"expression": "x"}, Call()).contents
    assert isinstance(content, TextContent)
    assert content.text.splitlines() == [
        "7",
        "",
        "Changes 53\N{EN DASH}55, 57.",
    ]


def test_code_that_fails_names_the_changes_that_it_made() -> None:
    with asking(evaluate=exchange("evaluate_changes_failure")) as image:
        [content] = evaluate_tool.make(image).call({"expression": "x"}, Call()).contents
    assert isinstance(content, TextContent)
    assert content.text.splitlines()[-1] == "Change 1."


def test_an_exception_is_an_error_with_its_cause_first() -> None:
    with asking(evaluate=exchange("evaluate_zero_divide")) as image:
        result = evaluate_tool.make(image).call({"expression": "1/0"}, Call())
    assert result.is_error
    [content] = result.contents
    assert isinstance(content, TextContent)
    assert content.text.startswith("ZeroDivide\nReceiver: 1\nStack:\n")


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        (evaluate_tool, {"expression": "x", "tests": ["ShOrderTest"]}),
        (edit_code_tool, {"text": "ShOrder >> x [ ]", "evaluate": "x", "tests": ["ShOrderTest"]}),
    ],
)
def test_a_cancel_stops_an_expression_before_its_tests(tool: BuiltInTool, arguments: dict[str, Any]) -> None:
    call = Call()

    def cancelled(body: Any) -> Reply:
        call.cancel()
        return seven(body)

    evaluate, tests = Remembering(cancelled), Remembering(exchange("tests_one_test"))
    stop = Remembering(lambda body: value({"stopped": [body["evaluation"]]}))
    answers: dict[str, Answer] = {
        "code/edit": exchange("code_edit"),
        "evaluate": evaluate,
        "stop": stop,
        "tests": tests,
    }
    with asking(**answers) as image, pytest.raises(ImageError, match="cancelled"):
        tool.make(image).call(arguments, call)
    assert stop.asked == [{"evaluation": evaluate.asked[0]["evaluation"]}]
    assert tests.asked == []


def test_a_cancel_stops_it_by_its_id() -> None:
    call = Call()
    stop = Remembering(lambda body: value({"stopped": [body["evaluation"]]}))

    def cancelled(body: Any) -> Reply:
        call.cancel()
        return seven(body)

    evaluate = Remembering(cancelled)
    with asking(evaluate=evaluate, stop=stop) as image, pytest.raises(ImageError, match="cancelled"):
        evaluate_tool.make(image).call({"expression": "x"}, call)
    assert stop.asked == [{"evaluation": evaluate.asked[0]["evaluation"]}]


def test_progress_is_reported_with_the_last_line_of_the_transcript_to_who_wants_it() -> None:
    reported: list[tuple[float, str | None]] = []
    call = Call(1, lambda progress, message, total: reported.append((progress, message)))
    answers = [
        running(1.0),
        running(2.0, "one\n\n"),
        running(3.0, f"one\n{'x' * 1000}"),
        seven,
    ]
    with asking(evaluate=answers[0], evaluation=Remembering(*answers[1:])) as image:
        result = evaluate_tool.make(image).call({"expression": "x"}, call)
    assert result.contents == (TextContent("7"),)
    assert reported == [(1.0, None), (2.0, "one"), (3.0, "x" * 200)]


def test_a_picture_follows_the_text() -> None:
    evaluate = exchange("evaluate_picture")
    with asking(evaluate=evaluate) as image:
        tool = evaluate_tool.make(image)
        result = tool.call({"expression": "Form extent: 40 @ 20 depth: 32", "picture": True}, Call())
    text, picture = result.contents
    assert isinstance(text, TextContent)
    assert text.text.splitlines()[-1] == "Picture: 40 by 20 pixels."
    assert picture == ImageContent("iVBORw0KGgo=")


def test_a_note_says_what_the_picture_shows() -> None:
    picture = {"png": "iVBORw0KGgo=", "width": 40, "height": 20, "note": "It is minimized."}
    drawn = value({"printString": "a Morph", "className": "Morph", "picture": picture})
    with asking(evaluate=lambda _: drawn) as image:
        tool = evaluate_tool.make(image)
        text, _ = tool.call({"expression": "Morph new", "picture": True}, Call()).contents
    assert text == TextContent("a Morph\n\nPicture: 40 by 20 pixels. It is minimized.")


def test_a_value_that_cannot_be_drawn_has_the_reason() -> None:
    with asking(evaluate=exchange("evaluate_cannot_draw")) as image:
        tool = evaluate_tool.make(image)
        [text] = tool.call({"expression": "3 + 4", "picture": True}, Call()).contents
    assert isinstance(text, TextContent)
    assert text.text == (
        "7\n\nNo picture: an instance of SmallInteger cannot draw itself. Forms, morphs, Roassal canvases, "
        "Athens surfaces and open Spec presenters can."
    )


def test_a_picture_is_asked_for_if_it_is_wanted() -> None:
    evaluate = Remembering(seven)
    with asking(evaluate=evaluate) as image:
        tool = evaluate_tool.make(image)
        tool.call({"expression": "3 + 4", "picture": False}, Call())
        tool.call({"expression": "3 + 4", "picture": True}, Call())
    assert [asked["picture"] for asked in evaluate.asked] == [False, True]
