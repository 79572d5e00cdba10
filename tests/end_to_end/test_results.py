"""Results: bounded, cut in words, read on by their id; and what was written to the Transcript."""

import re

import pytest

from end_to_end.answers import found, texts, value, whole
from programs import Client

ID = r"e-[0-9a-f]+"
PRINTING = "The code itself had finished: its value, an instance of E2EPrintsBadly, was being printed."


def test_a_print_string_is_cut_after_3_000_characters_and_that_is_said_first(client: Client) -> None:
    [told] = texts(client.call("evaluate", expression="String new: 30000 withAll: $a"))
    note, _, shown = told.partition("\n\n")
    assert len(shown) == 3_000
    assert note.startswith("Characters 1 to 3,000 of 30,002.")
    assert "object_id: o-" in note
    assert "get_evaluation" in note


def test_the_rest_of_a_cut_result_is_read_by_its_id_from_an_offset(client: Client) -> None:
    expression = "String streamContents: [ :all | 1 to: 2000 do: [ :each | all print: each; space ] ]"
    first = client.call("evaluate", expression=expression, max_characters=4000)
    evaluation = found(ID, first)
    rest = client.call("get_evaluation", evaluation_id=evaluation, offset=4000, max_characters=200_000)
    pages = [texts(each)[0].partition("\n\n")[2] for each in (first, rest)]
    assert re.findall(r"\d+", "".join(pages)) == [str(number) for number in range(1, 2001)]


def test_the_whole_of_a_cut_result_is_a_resource(client: Client) -> None:
    result = client.call("evaluate", expression="String new: 30000 withAll: $a")
    uri = found(r"pharo://evaluation/e-[0-9a-f]+", result)
    [contents] = client.request("resources/read", uri=uri)["result"]["contents"]
    assert contents["text"] == "'" + "a" * 30_000 + "'"


@pytest.mark.parametrize(
    ("method", "cause", "told"),
    [
        ("printOn: aStream 1/0", "ZeroDivide", "printOn: of E2EPrintsBadly failed"),
        ("printOn: aStream [ true ] whileTrue", "terminated after 0.5 seconds", PRINTING),
        (
            "printOn: aStream self printOn: aStream",
            "nested more than|OutOfMemory|terminated after",
            f"{PRINTING}|printOn: of E2EPrintsBadly failed",
        ),
    ],
    ids=["raises", "loops", "recurses"],
)
def test_a_print_on_that_raises_loops_or_recurses_is_survived_and_reported_as_such(
    client: Client, method: str, cause: str, told: str
) -> None:
    value(client, "(Object << #E2EPrintsBadly package: 'E2E') install. 7")
    there = "(Smalltalk globals at: #E2EPrintsBadly)"
    value(client, f"{there} compile: '{method}' classified: 'printing'. 7")
    result = client.call("evaluate", expression=f"{there} new", timeout_seconds=0.5)
    value(client, f"{there} removeFromSystem. self packageOrganizer removePackage: 'E2E'. 7")
    assert re.search(cause, whole(result)), whole(result)
    assert re.search(told, whole(result)), whole(result)


def test_transcript_output_comes_back_in_a_block_of_its_own(client: Client) -> None:
    result = client.call("evaluate", expression="Transcript show: 'hello'; cr; show: 'there'. 7")
    assert texts(result) == ["7", "Transcript:\nhello\nthere"]


def test_long_transcript_output_is_cut_at_the_beginning_and_that_is_reported(client: Client) -> None:
    expression = "1 to: 5000 do: [ :each | Transcript print: each; cr ]. 7"
    _, transcript = texts(client.call("evaluate", expression=expression))
    head, _, shown = transcript.partition("\n")
    assert head == "Transcript (the last 8,999 of 23,893 characters):"
    assert len(shown) == 8_999
    assert shown.endswith("4999\n5000\n")


def test_output_of_other_processes_to_the_transcript_is_not_returned(client: Client) -> None:
    value(client, "gate := Semaphore new. go := Semaphore new", workspace="t")
    mine = "gate signal. go wait. Transcript show: 'mine'. 7"
    client.begin("mine", "evaluate", expression=mine, workspace="t")
    theirs = client.call(
        "evaluate", expression="gate wait. Transcript show: 'theirs'. go signal. 8", workspace="t"
    )
    assert texts(client.receive()["result"]) == ["7", "Transcript:\nmine"]
    assert texts(theirs) == ["8", "Transcript:\ntheirs"]
