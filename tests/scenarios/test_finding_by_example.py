"""Finding a method by what it does, in a live image."""

import pytest

from programs import Client
from scenarios.test_pharo_refactorings import answer


@pytest.mark.parametrize(
    ("receiver", "arguments", "result", "found"),
    [
        ("'abc'", [], "'ABC'", "String>>asUppercase: 'abc' asUppercase"),
        ("3", ["4"], "7", "SmallInteger>>+: 3 + 4"),
        ("#(1 2 3)", ["[:x | x odd]"], "#(1 3)", "select: [:x | x odd]"),
        ("#(1 2 3)", ["0", "[:a :b | a + b]"], "6", "Collection>>inject:into:: (#(1 2 3)) inject: 0 into:"),
        ("3", ["1", "5"], "true", "Magnitude>>between:and:: 3 between: 1 and: 5"),
        ("$l", ["'hello'"], "3", "'hello' indexOf: $l"),
    ],
)
def test_a_method_is_found_by_its_result(
    client: Client, receiver: str, arguments: list[str], result: str, found: str
) -> None:
    example = {"receiver": receiver, "arguments": arguments, "result": result}
    assert found in answer(client, "find_method_by_example", **example)


def test_nothing_is_left_behind_by_what_is_tried(client: Client) -> None:
    answer(client, "evaluate", expression="pmcMadeList := OrderedCollection withAll: #(3 1 2)")
    found = answer(client, "find_method_by_example", receiver="pmcMadeList", result="3")
    assert "pmcMadeList removeFirst" in found
    assert answer(client, "evaluate", expression="pmcMadeList asArray").startswith("#(3 1 2)")


def test_what_was_not_tried_is_said(client: Client) -> None:
    found = answer(client, "find_method_by_example", receiver="3", result="#zork")
    assert "No method that was tried answers the result." in found
    assert "other selectors with 0 arguments that SmallInteger understands" in found


def test_objects_of_other_classes_are_refused(client: Client) -> None:
    refused = client.call("find_method_by_example", receiver="Object new", result="3")
    assert refused["isError"]
    assert "the methods of Object may have side effects" in refused["content"][0]["text"]
