"""Finding a method by what it does, in a live image."""

import pytest

from programs import Client
from scenarios.test_pharo_refactorings import answer


@pytest.mark.parametrize(
    ("receiver", "arguments", "result", "found"),
    [
        ("'abc'", [], "'ABC'", "String>>asUppercase: 'abc' asUppercase"),
        ("3", ["4"], "7", "SmallInteger>>+: 3 + 4"),
        ("3", ["1", "5"], "true", "Magnitude>>between:and:: 3 between: 1 and: 5"),
        ("$l", ["'hello'"], "3", "'hello' indexOf: $l"),
    ],
)
def test_a_method_is_found_by_its_result(
    client: Client, receiver: str, arguments: list[str], result: str, found: str
) -> None:
    example = {"kind": "example", "receiver": receiver, "arguments": arguments, "query": result}
    assert found in answer(client, "search", **example)


def test_what_was_not_tried_is_said(client: Client) -> None:
    found = answer(client, "search", kind="example", receiver="3", query="#zork")
    assert "No method that was tried answers the result." in found
    assert "other selectors with 0 arguments that SmallInteger understands" in found


@pytest.mark.parametrize("receiver", ["Object new", "Smalltalk", "[ 3 ]", "{ 3. 4 }", "3. 4"])
def test_only_literals_are_tried_so_that_a_search_evaluates_nothing(client: Client, receiver: str) -> None:
    refused = client.call("search", kind="example", receiver=receiver, query="3")
    assert refused["isError"]
    assert f"{receiver} is not a literal" in refused["content"][0]["text"]
