"""Tool `profile`."""

import pytest

from image.servers import Remembering, asking, exchange, failure, running
from pharo_mcp.image.errors import ImageError
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import ResourceLink, TextContent, ToolResult
from pharo_mcp.protocol.revisions import LEGACY_REVISIONS
from pharo_mcp.tools.evaluating import get_evaluation as get_evaluation_tool
from pharo_mcp.tools.measuring import profile as profile_tool
from tools.calling import answering, result, text

EXPRESSION = exchange("profile_expression")
TIMEOUT = exchange("profile_timeout")
URI = "pharo://evaluation/exchange-profile/flame-graph"


def profiled(**arguments: object) -> ToolResult:
    return result(profile_tool, "profile", EXPRESSION, expression="3 + 4", **arguments)


def test_the_value_comes_first_and_then_the_profile() -> None:
    assert text(profile_tool, "profile", EXPRESSION, expression="3 + 4").splitlines() == [
        "7",
        "---",
        "Profile: 0.30 s in 43 samples; running 66.7 %, waiting 33.3 %.",
        "The percentages are rough: repeat the code in a loop for more samples.",
        "Memory, all processes: 5.3 MB allocated; 2 scavenges, 1 ms; 0 full collections, 0 ms.",
        "",
        "100.0 %  (expression)  [waiting 33.3 %]",
        " 66.7 %    PmcExampleWorkload class>>workFor:  [own 3.0 %]",
        " 63.7 %      Integer>>factorial (recursive)",
        " 33.3 %    Delay>>wait  [waiting]",
        "Left out: 3 calls with less than 2 % of the time.",
        "",
        "Own time by method:",
        " 63.7 %  Integer>>factorial",
        "  3.0 %  PmcExampleWorkload class>>workFor:",
        "",
        "Waiting in:",
        " 33.3 %  Delay>>wait",
        "",
        f"Flame graph: {URI}",
    ]


def test_times_are_compared_with_their_spread() -> None:
    comparison = {
        "before": 23700.0,
        "now": 12300.5,
        "ratio": 0.52,
        "least": 0.49,
        "greatest": 0.6,
        "rounds": 11,
        "methods": ["Shop>>order:"],
        "notCompared": ["Shop>>added"],
    }
    answer = answering(printString="7", className="SmallInteger", comparison=comparison)
    assert text(profile_tool, "profile", answer, expression="3 + 4", against=12).splitlines() == [
        "7",
        "---",
        "Now it takes 0.52 times as long (0.49 to 0.60 in 11 rounds): 12.3 ms instead of 23.7 ms a run.",
        "Compared with the earlier Shop>>order:.",
        "Also changed, but not compared: Shop>>added.",
    ]


def test_an_interrupted_comparison_says_so() -> None:
    comparison = {"before": 0, "now": 0, "ratio": 0, "rounds": 0, "interrupted": True}
    answer = answering(printString="7", className="SmallInteger", comparison=comparison)
    words = text(profile_tool, "profile", answer, expression="3 + 4", against=12)
    assert words.endswith("The times could not be compared: the image was saved meanwhile.")


def test_the_flame_graph_is_linked() -> None:
    assert profiled().contents[-1] == ResourceLink(URI, "Flame graph", "image/svg+xml")


@pytest.mark.parametrize(("revision", "linked"), [("2025-03-26", False), ("2025-06-18", True)])
def test_clients_that_know_no_links_get_none(revision: str, linked: bool) -> None:
    types = [block["type"] for block in profiled().encode(LEGACY_REVISIONS[revision])["content"]]  # type: ignore[attr-defined]
    assert types == ["text", "text", *["resource_link"] * linked]


def test_code_that_is_terminated_shows_its_profile_until_then() -> None:
    answer = result(profile_tool, "profile", TIMEOUT, expression="Zoo new open")
    assert answer.is_error
    said, profile, link = (block.encode() for block in answer.contents)
    assert str(said["text"]).startswith("The evaluation was terminated after 0.2 seconds.")
    assert str(profile["text"]).startswith("Profile: 0.20 s in 30 samples.")
    assert link["uri"] == "pharo://evaluation/exchange-profile-timeout/flame-graph"


def test_code_that_does_not_compile_has_no_profile() -> None:
    answer = result(profile_tool, "profile", exchange("profile_syntax_error"), expression="3 +")
    assert len(answer.contents) == 1


def test_tests_are_reported_with_their_profile() -> None:
    words = text(profile_tool, "profile", exchange("profile_tests"), tests=["ZooTest>>testOpen"])
    assert words.startswith("1 test: 1 passed.\n---\nProfile: 0.06 s in 9 samples.")


def test_a_profile_that_takes_long_is_followed_by_its_id() -> None:
    assert "get_evaluation waits for its result" in text(
        profile_tool, "profile", running(41.0), expression="Zoo new open"
    )
    assert "Profile: 0.30 s" in text(get_evaluation_tool, "evaluation", EXPRESSION, evaluation_id="e-1")


def test_the_next_part_of_a_long_value_does_not_repeat_the_profile() -> None:
    words = text(get_evaluation_tool, "evaluation", EXPRESSION, evaluation_id="e-1", offset=3)
    assert "Profile" not in words


def test_it_has_the_time_limits_of_what_it_runs() -> None:
    remembering = Remembering(EXPRESSION)
    with asking(profile=remembering) as image:
        tool = profile_tool.make(image)
        tool.call({"expression": "3 + 4", "process": "ui"}, Call())
        tool.call({"tests": ["ZooTest>>testOpen"], "wait_seconds": 3}, Call())
    first, second = remembering.asked
    assert (first["expression"], first["timeoutSeconds"], first["process"]) == ("3 + 4", image.limit, "ui")
    assert second["tests"] == ["ZooTest>>testOpen"]
    assert (second["timeoutSeconds"], second["waitSeconds"]) == (600, 3)


@pytest.mark.parametrize("arguments", [{}, {"tests": []}, {"expression": "3", "tests": ["ZooTest"]}])
def test_it_needs_either_an_expression_or_tests(arguments: dict[str, object]) -> None:
    with asking() as image:
        answer = profile_tool.make(image).call(arguments, Call())
    assert answer.is_error
    assert answer.contents == (TextContent("profile needs either expression or tests. Nothing ran."),)


def test_what_the_image_refuses_is_an_error() -> None:
    refused = failure(400, "badRequest", "This image has no user interface.")
    with asking(profile=lambda _: refused) as image, pytest.raises(ImageError, match="no user interface"):
        profile_tool.make(image).call({"expression": "3", "process": "ui"}, Call())


@pytest.mark.parametrize(
    ("ratio", "now", "words"),
    [
        (0.00098, 0.09, "Now it takes 0.00098 times as long (0.00 to 0.00 in 3 rounds): 0.09 µs instead of"),
        (1029.7, 123.4, "Now it takes 1,030 times as long (0.00 to 0.00 in 3 rounds): 0.123 ms instead of"),
    ],
)
def test_ratios_and_durations_of_all_sizes_are_readable(ratio: float, now: float, words: str) -> None:
    comparison = {"before": 5.0, "now": now, "ratio": ratio, "least": 0.001, "greatest": 0.002, "rounds": 3}
    answer = answering(printString="7", className="SmallInteger", comparison=comparison)
    shown = text(profile_tool, "profile", answer, expression="3 + 4", against=12)
    assert words.replace("0.00 to 0.00", "0.001 to 0.002") in shown
