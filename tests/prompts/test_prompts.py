"""The other prompts: the code of the image that each includes."""

from typing import Any

import pytest

from image.servers import STATUS, Answer, Remembering, Reply, asking, exchange, running, value
from pharo_mcp.image.errors import ImageError
from pharo_mcp.prompts import (
    BuiltInPrompt,
    explain_class,
    explore_package,
    fix_failing_tests,
    look_at_this,
    refactor_method,
    write_tests,
)
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import InvalidArguments, TextContent

CLASS, METHOD = exchange("class_details"), exchange("method")
CODE, NO_CODE = exchange("code_page"), value({"text": "", "total": 0, "offset": 0, "shown": 0})


def text(prompt: BuiltInPrompt, answers: dict[str, Answer], **arguments: str) -> str:
    """Return the text of a prompt's only message."""
    with asking(**answers) as image:
        [message] = prompt.make(image).get(arguments, Call()).messages
    assert isinstance(message.content, TextContent)
    return message.content.text


def test_an_explanation_has_the_class_its_superclasses_and_its_methods() -> None:
    words = text(explain_class, {"class": CLASS, "code": CODE}, className="PmcExampleCircle")
    assert words.startswith("Please explain the class PmcExampleCircle.")
    assert "Its superclasses: PmcExampleShape > Object > ProtoObject." in words
    assert "PmcExampleCircle in the image:\n\n```smalltalk\n{ #category : 'accessing' }\n" in words


def test_tests_to_write_come_with_the_tests_that_are_there() -> None:
    code = Remembering(CODE)
    words = text(write_tests, {"class": CLASS, "code": code}, className="PmcExampleCircle")
    assert words.startswith("Please write SUnit tests for the class PmcExampleCircle.")
    assert "Its existing tests:\n\n```smalltalk\n" in words
    assert {"PmcExampleCircle", "PmcExampleCircleTest"} == {each["items"][0] for each in code.asked}


def test_missing_tests_are_mentioned() -> None:
    def only_the_class(body: Any) -> Reply:
        return NO_CODE if body["items"] == ["PmcExampleCircleTest"] else CODE(body)

    words = text(write_tests, {"class": CLASS, "code": only_the_class}, className="PmcExampleCircle")
    assert words.endswith("There is no class PmcExampleCircleTest yet: create it as a subclass of TestCase.")


def test_failing_tests_come_with_cause_stack_and_source() -> None:
    answers = {"tests": exchange("tests_only_failures"), "code": CODE}
    words = text(fix_failing_tests, answers, className="PmcExampleTests")
    assert words.startswith("Please fix the failing tests of PmcExampleTests: 2 of 4.")
    assert "`PmcExampleTests>>testFails` (failure): TestFailure: Got 3 instead of 4." in words
    assert "    PmcExampleTests>>testFails" in words
    assert "Their code:\n\n```smalltalk\n{ #category : 'accessing' }\nPmcExampleCircle >> radius [" in words


def test_a_failing_test_that_is_inherited_comes_without_source() -> None:
    answers = {"tests": exchange("tests_only_failures"), "code": lambda _: NO_CODE}
    words = text(fix_failing_tests, answers, packageName="PharoMcp-Core-Tests")
    assert "of package PharoMcp-Core-Tests: 2 of 4." in words
    assert "```" not in words


def test_without_failing_tests_there_is_nothing_to_fix() -> None:
    words = text(fix_failing_tests, {"tests": exchange("tests_nothing_to_run")}, packageName="X")
    assert words.startswith("None of the 0 tests of package X failed")


def test_tests_that_run_on_are_to_be_waited_for() -> None:
    words = text(fix_failing_tests, {"tests": running(40.0)}, packageName="X")
    assert "evaluation_id e-1" in words


def test_a_cancel_stops_the_tests() -> None:
    call = Call()
    stop = Remembering(lambda body: value({"stopped": [body["evaluation"]]}))

    def cancelled(body: Any) -> Reply:
        call.cancel()
        return exchange("tests_only_failures")(body)

    tests = Remembering(cancelled)
    with asking(tests=tests, stop=stop) as image, pytest.raises(ImageError, match="cancelled"):
        fix_failing_tests.make(image).get({"packageName": "X"}, call)
    assert stop.asked == [{"evaluation": tests.asked[0]["evaluation"]}]


@pytest.mark.parametrize("arguments", [{}, {"className": "X", "packageName": "Y"}])
def test_which_tests_to_fix_is_given_in_one_way(arguments: dict[str, str]) -> None:
    with asking() as image, pytest.raises(InvalidArguments, match="either className or packageName"):
        fix_failing_tests.make(image).get(arguments, Call())


def test_a_refactoring_has_the_method_its_senders_and_the_goal() -> None:
    answers = {"class": CLASS, "method": METHOD, "search": exchange("search_senders")}
    words = text(refactor_method, answers, className="PmcExampleCircle", selector="area", goal="shorter")
    assert words.startswith("Please refactor the method `PmcExampleCircle>>area`.")
    assert "Goal: shorter" in words
    assert "Senders of its selector: PmcExampleCircle class>>radius:." in words


def test_a_method_without_senders_is_described_so() -> None:
    nobody = value({"kind": "senders", "total": 0, "offset": 0, "items": []})
    answers = {"class": CLASS, "method": METHOD, "search": lambda _: nobody}
    assert "Its selector has no senders." in text(
        refactor_method, answers, className="PmcExampleCircle", selector="area"
    )


def test_a_tour_has_the_contents_of_the_package() -> None:
    words = text(explore_package, {"package": exchange("package")}, packageName="PharoMcp-Core-Tests")
    assert words.startswith("Please give me a tour of the package PharoMcp-Core-Tests.")
    assert "Classes tagged Examples:\n\n- PmcExampleCircle: I am a circle" in words
    assert "- TPmcExampleColored (trait): I am a color" in words
    assert "Test classes: PmcClassDescriptionTest, PmcEndpointsTest" in words


def test_a_tour_has_extensions_and_mentions_missing_tests() -> None:
    package = value(
        {
            "name": "Zoos",
            "tags": [{"name": "", "classes": []}],
            "extensions": [{"className": "Integer", "side": "class", "selectors": ["cages"]}],
            "testClasses": [],
        }
    )
    words = text(explore_package, {"package": lambda _: package}, packageName="Zoos")
    assert "- Integer class: cages" in words
    assert words.endswith("It has no test classes.")


def test_what_was_handed_over_comes_with_its_text_and_its_ids() -> None:
    handover = {"objectId": "o-3", "kind": "browser", "title": "Point>>x", "at": "2026-01-02T03:04:05"}
    answers = {
        "status": lambda _: value({**STATUS, "handover": handover}),
        "inspect": exchange("inspect_window"),
    }
    words = text(look_at_this, answers, question="Why is it so short?")
    assert words.startswith("Please look at what I handed over in Pharo: browser Point>>x. o-3 is the id")
    assert "Why is it so short?\n\nclass: Point (Point class, id o-2)" in words
    assert words.endswith("Selected in it:\n\n```smalltalk\n^ x\n```")


def test_without_a_handover_the_prompt_asks_how_to_do_it() -> None:
    assert text(look_at_this, {}).startswith("I have not handed over anything.")
