"""Where time goes: a profile agrees with what the profiled code measures itself."""

import re
from collections.abc import Iterator
from math import sqrt
from xml.etree import ElementTree

import pytest

from programs import Client
from scenarios.playing import mark, text
from smalltalk_text import class_text, code, method_text

BUSY = """{name}

	| begin |
	begin := Time microsecondClockValue.
	[ Time microsecondClockValue - begin < {microseconds} ] whileTrue: [ {work} ].
	{name}Time := {name}Time + Time microsecondClockValue - begin"""
SLEEP = """sleep

	| begin |
	begin := Time microsecondClockValue.
	(Delay forMilliseconds: 130) wait.
	sleepTime := sleepTime + Time microsecondClockValue - begin"""
METHODS = [
    "initialize\n\n\tfeedTime := cleanTime := sleepTime := 0",
    BUSY.format(name="feed", microseconds=230_000, work="20 factorial"),
    BUSY.format(name="clean", microseconds=140_000, work="(1 to: 40) asOrderedCollection reversed"),
    SLEEP,
    "pass: days\n\n\tdays timesRepeat: [ self feed; clean; sleep ].\n\t^ { feedTime. cleanTime. sleepTime }",
]
"""A zoo whose methods take turns, and add up how long each of them took by the clock."""


@pytest.fixture
def zoo(client: Client) -> Iterator[Client]:
    """A client of an image that has the class ZooDay for the time of a test."""
    before = mark(client)
    slots = ["feedTime", "cleanTime", "sleepTime"]
    made = client.call(
        "edit_code",
        text=code(
            class_text("ZooDay", package="Zoo", slots=slots),
            *(method_text("ZooDay", each) for each in METHODS),
        ),
    )
    assert not made["isError"], text(made)
    yield client
    client.call("undo_change", to=before)


def texts(result: dict[str, list[dict[str, str]]]) -> str:
    """The text blocks of a result."""
    return "\n".join(block["text"] for block in result["content"] if block["type"] == "text")


def shares(answer: str, *names: str) -> list[float]:
    """The parts of the time that the tree of a profile shows for methods of ZooDay."""
    found = [re.search(rf"([\d.]+) %\s+ZooDay>>{name}\b", answer) for name in names]
    assert all(found), answer
    return [float(each[1]) / 100 for each in found if each]


def test_the_shares_are_those_that_the_methods_measure_themselves(zoo: Client) -> None:
    answer = texts(zoo.call("profile", expression="ZooDay new pass: 14", timeout_seconds=90))
    measured = [int(number) for number in re.findall(r"\d+", answer.splitlines()[0])]
    expected = [each / sum(measured) for each in measured]
    samples = int(re.search(r"in ([\d,]+) samples", answer)[1].replace(",", ""))  # type: ignore[index]
    told = [*shares(answer, "feed", "clean", "sleep")]
    for share, reported in zip(expected, told, strict=True):
        deviation = sqrt(share * (1 - share) / samples)  # of a share that is found by so many samples
        assert reported == pytest.approx(share, abs=0.01 + 3 * deviation), answer
    waiting = float(re.search(r"waiting ([\d.]+) %", answer)[1]) / 100  # type: ignore[index]
    assert waiting == pytest.approx(told[2], abs=0.02)


def test_the_flame_graph_is_read_from_the_link(zoo: Client) -> None:
    result = zoo.call("profile", expression="ZooDay new pass: 1", timeout_seconds=60)
    [link] = [block for block in result["content"] if block["type"] == "resource_link"]
    [contents] = zoo.request("resources/read", uri=link["uri"])["result"]["contents"]
    assert contents["mimeType"] == link["mimeType"] == "image/svg+xml"
    svg = ElementTree.fromstring(contents["text"])
    titles = [title.text or "" for title in svg.iter("{http://www.w3.org/2000/svg}title")]
    assert any(title.startswith("ZooDay>>feed (") for title in titles)


def test_what_runs_too_long_is_followed_and_stopped_and_keeps_its_profile(zoo: Client) -> None:
    arguments = {"expression": "ZooDay new pass: 1000", "timeout_seconds": 600, "wait_seconds": 1}
    [evaluation] = re.findall(r"evaluation_id: (\S+)", texts(zoo.call("profile", **arguments)))
    zoo.call("stop_evaluation", evaluation_id=evaluation)
    result = zoo.call("get_evaluation", evaluation_id=evaluation)
    assert result["isError"]
    assert "stopped on request" in texts(result)
    assert shares(texts(result), "feed")


def test_an_error_shows_where_the_time_went_until_then(zoo: Client) -> None:
    result = zoo.call("profile", expression="ZooDay new pass: 1. 1 / 0", timeout_seconds=60)
    assert result["isError"]
    assert texts(result).startswith("ZeroDivide")
    assert shares(texts(result), "feed", "clean", "sleep")


def test_tests_are_profiled_from_their_own_methods_on(client: Client) -> None:
    answer = texts(client.call("profile", tests=["PmcExampleWorkloadTests"]))
    assert answer.startswith("1 test: 1 passed.")
    assert "%  PmcExampleWorkloadTests>>testWorks → PmcExampleWorkload class>>workFor:" in answer
    assert "TestCase>>" not in answer
