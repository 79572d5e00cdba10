"""Tool `run_tests`."""

from typing import Any

import pytest

from image.servers import Answer, Remembering, Reply, asking, exchange, value
from pharo_mcp.image.errors import ImageError
from pharo_mcp.protocol.call import Call
from pharo_mcp.protocol.catalog import TextContent
from pharo_mcp.tools.evaluating import get_evaluation as get_evaluation_tool
from pharo_mcp.tools.measuring import run_tests as run_tests_tool
from tools.calling import answering, text

FAILED = exchange("tests_only_failures")


def running(done: int, elapsed: float) -> Answer:
    members = {"evaluation": "e-1", "running": True, "elapsed": elapsed, "done": done, "total": 3}
    return lambda _: value({**members, "current": "ZooTest>>testOpen"})


@pytest.mark.parametrize(
    ("given", "refusal"),
    [
        ({}, "run_tests needs tests: names of packages, classes or tests, or affected. No tests were run."),
        (
            {"tests": []},
            "run_tests needs tests: names of packages, classes or tests, or affected. No tests were run.",
        ),
        ({"tests": ["Zoo", "affected"]}, "In tests, affected must be alone. Nothing was done."),
        (
            {"tests": ["Zoo"], "since": 3},
            "since is for affected tests: omit it, or tests. No tests were run.",
        ),
    ],
)
def test_it_is_clear_which_tests_run(given: dict[str, object], refusal: str) -> None:
    with asking() as image:
        result = run_tests_tool.make(image).call(given, Call())
    assert result.is_error
    assert result.contents == (TextContent(refusal),)


@pytest.mark.parametrize("former", ["class_name", "package"])
def test_the_error_for_a_former_argument_names_tests(former: str) -> None:
    with asking() as image:
        [refusal] = run_tests_tool.make(image).call({former: "Zoo"}, Call()).contents
    assert f"`{former}` is not a known argument (known: `tests`," in str(refusal.encode()["text"])


def test_failures_are_shown_with_exception_message_and_stack() -> None:
    lines = text(run_tests_tool, "tests", FAILED, tests=["PmcExampleTests"]).splitlines()
    assert [line.partition(" -- ")[0] for line in lines] == [
        "4 tests: 1 passed, 1 failure, 1 error, 1 skipped.",
        "",
        "error: PmcExampleTests>>testErrs",
        "    ZeroDivide",
        "    1 SmallInteger>>/",
        "    2 PmcExampleTests>>testErrs",
        "    Frame 2: self = nil, each = 3",
        "    error_id: error-1",
        "",
        "failure: PmcExampleTests>>testFails",
        "    TestFailure: Got 3 instead of 4.",
        "    1 PmcExampleTests>>testFails",
        "    Frame 2: self = nil, each = 3",
        "    error_id: error-1",
        "",
        "SUnit's own frames are left out.",
    ]


def test_the_first_difference_is_shown_with_what_is_around_it() -> None:
    lines = text(run_tests_tool, "tests", exchange("tests_difference"), tests=["X"]).splitlines()
    assert lines[3:7] == [
        "    TestFailure: Got #(1 2 3 4 5 6 7 8 9) instead of #(1 2 3 5).",
        "    First difference at 4:",
        "        got      4",
        "        expected 5",
    ]


@pytest.mark.parametrize(
    ("difference", "first"),
    [
        ({"position": 1_017, "line": 12}, "    First difference at 1,017, line 12:"),
        ({}, "    Difference:"),
    ],
)
def test_a_difference_tells_where_it_is(difference: dict[str, object], first: str) -> None:
    values = {"actual": "'1\r2'", "expected": "'2'"}
    test = {**failed("testA", "ZooTest>>testA", message="9" * 300), "difference": {**values, **difference}}
    lines = text(
        run_tests_tool,
        "tests",
        answering(total=1, passed=0, failures=1, errors=0, tests=[test], notRun=[]),
        tests=["X"],
    )
    assert first in lines.splitlines()
    assert "        got      '1\N{RETURN SYMBOL}2'" in lines.splitlines()
    assert max(map(len, lines.splitlines())) < 200


def test_of_many_failures_the_causes_come_first_those_of_the_most_tests_on_top() -> None:
    others = [failed(f"test{n}", f"ZooTest>>test{n}", message=f"No {n}.") for n in range(11)]
    same = [failed(f"testOpen{n}", DNU, OPEN, f"ZooTest>>testOpen{n}") for n in range(30)]
    counts = {"total": 41, "passed": 0, "failures": 0, "errors": 41}
    answer = answering(**counts, tests=[*others, *same], notRun=[])
    lines = text(run_tests_tool, "tests", answer, tests=["Zoo"]).splitlines()
    assert lines[1:4] == [
        "12 causes, of the most tests first:",
        f"    30 tests: MessageNotUnderstood: No., at {DNU}",
        "    1 test: MessageNotUnderstood: No 0., at ZooTest>>test0",
    ]
    assert lines[12] == "    … and 2 more"


def test_a_test_that_recurses_without_end_is_an_error_and_the_others_run() -> None:
    words = text(run_tests_tool, "tests", exchange("tests_recursion"), tests=["PmcExampleDeepTests"])
    assert words.startswith("4 tests in 2.2 seconds: 1 passed, 3 errors.")
    assert "    The test was terminated because its calls were nested more than 100000 deep" in words


def test_each_that_passed_is_a_line() -> None:
    lines = text(run_tests_tool, "tests", exchange("tests_one_test"), tests=["X"]).splitlines()
    assert lines == [
        "1 test: 1 passed.",
        "",
        "passed: PmcExampleTests>>testPasses",
    ]


def test_hundreds_of_tests_are_summarized() -> None:
    def ran(outcome: str, number: int) -> dict[str, object]:
        test = {"className": "ZooTest", "selector": f"test{number}", "outcome": outcome, "seconds": 0.001}
        return (
            test
            if outcome == "passed"
            else {**test, "messageText": "No.", "stack": [f"ZooTest>>test{number}"]}
        )

    tests = [ran("passed", n) for n in range(130)] + [ran("failure", n) for n in range(25)]
    counts = {"total": 155, "passed": 130, "failures": 25, "errors": 0}
    answer = answering(**counts, tests=tests, notRun=[f"ZooTest>>test{n}" for n in range(110)])
    lines = text(run_tests_tool, "tests", answer, tests=["Zoo"]).splitlines()
    assert lines[0] == "155 tests: 130 passed, 25 failures."
    assert (lines.count("    No."), sum(line.startswith("    1 ZooTest>>") for line in lines)) == (20, 20)
    assert sum(line.startswith("failure: ") for line in lines) == 25
    assert sum(line.startswith("passed: ") for line in lines) == 100
    assert "… and 30 more that did not fail." in lines
    assert lines[1].endswith("ZooTest>>test99, … and 10 more")


def failed(selector: str, *stack: str, message: str = "No.") -> dict[str, object]:
    return {
        "className": "ZooTest",
        "selector": selector,
        "outcome": "error",
        "seconds": 0.001,
        "class": "MessageNotUnderstood",
        "messageText": message,
        "stack": stack,
    }


DNU = "UndefinedObject(Object)>>doesNotUnderstand: #open"
OPEN = "Zoo>>open -- gate open"


@pytest.mark.parametrize(
    ("tests", "causes"),
    [
        # the same error below the same method of the user
        ([failed("testA", DNU, OPEN, "ZooTest>>testA"), failed("testB", DNU, OPEN, "ZooTest>>testB")], 1),
        # in setUp
        ([failed("testA", DNU, "ZooTest>>setUp"), failed("testB", DNU, "ZooTest>>setUp")], 1),
        ([failed("testA", "ZooTest>>setUp"), failed("testB", "ZooTest>>setUp")], 1),
        # in a block of the test
        (
            [
                failed("testA", DNU, OPEN, "[ ] in ZooTest>>testA", "ZooTest>>testA"),
                failed("testB", DNU, OPEN, "ZooTest>>testB"),
            ],
            1,
        ),
        # each test by its own expression
        ([failed("testA", DNU, "ZooTest>>testA"), failed("testB", DNU, "ZooTest>>testB")], 2),
        # another line of the same method
        (
            [
                failed("testA", DNU, OPEN, "ZooTest>>testA"),
                failed("testB", DNU, "Zoo>>open -- door open", "ZooTest>>testB"),
            ],
            2,
        ),
        # another message
        (
            [
                failed("testA", DNU, OPEN, "ZooTest>>testA"),
                failed("testB", DNU, OPEN, "ZooTest>>testB", message="Yes."),
            ],
            2,
        ),
        # nothing known of the place
        ([failed("testA"), failed("testB")], 2),
    ],
)
def test_failures_with_one_cause_are_shown_together(tests: list[dict[str, object]], causes: int) -> None:
    answer = answering(total=2, passed=0, failures=0, errors=2, tests=tests)
    lines = text(run_tests_tool, "tests", answer, tests=["ZooTest"]).splitlines()
    assert sum(line.startswith("error: ") for line in lines) == causes
    together = "    The same exception at the same place in 1 other: ZooTest>>testB"
    assert (together in lines) is (causes == 1)


def test_a_hundred_failures_with_one_cause_have_one_stack() -> None:
    tests = [failed(f"test{n}", DNU, OPEN, f"ZooTest>>test{n}") for n in range(100)]
    answer = answering(total=100, passed=0, failures=0, errors=100, tests=tests)
    lines = text(run_tests_tool, "tests", answer, tests=["ZooTest"]).splitlines()
    assert lines.count(f"    2 {OPEN}") == 1
    [others] = [line for line in lines if line.startswith("    The same exception")]
    assert "in 99 others: ZooTest>>test1, " in others
    assert others.endswith("ZooTest>>test50, … and 49 more")


def test_tests_that_did_not_run_are_named() -> None:
    words = text(run_tests_tool, "tests", exchange("tests_time_of_all"), tests=["X"])
    assert "Not run: PmcExampleSlowTests>>testTakesLongToo" in words


def test_the_reason_why_some_did_not_run_is_shown() -> None:
    words = text(run_tests_tool, "tests", exchange("tests_time_of_all"), tests=["X"])
    assert (
        "testTakesLong was the last test that ran. The evaluation was terminated after 0.3 seconds." in words
    )


def test_without_tests_the_reason_is_shown() -> None:
    words = text(run_tests_tool, "tests", exchange("tests_nothing_to_run"), tests=["X"])
    assert "There are no tests in this selection." in words


def test_their_transcript_is_a_block_of_its_own() -> None:
    assert "\n---\nTranscript:\n" in text(run_tests_tool, "tests", exchange("tests_transcript"), tests=["X"])


def test_running_tests_are_shown_with_their_progress_and_the_next_step() -> None:
    first, second, *_ = text(run_tests_tool, "tests", running(1, 40.0), tests=["Zoos"]).splitlines()
    assert first == (
        "Still running after 40.0 seconds, 1 of 3 tests done, now ZooTest>>testOpen; evaluation_id: e-1"
    )
    assert second.startswith("get_evaluation waits")


def test_get_evaluation_returns_their_results() -> None:
    words = text(get_evaluation_tool, "evaluation", FAILED, evaluation_id="e-1", wait_seconds=5)
    assert words.startswith("4 tests: 1 passed, 1 failure")


def test_progress_counts_tests_and_names_the_current_one() -> None:
    reported: list[tuple[float, str | None]] = []
    call = Call(1, lambda progress, message, total: reported.append((progress, message)))
    looks = Remembering(running(2, 2.0), FAILED)
    with asking(tests=running(1, 1.0), evaluation=looks) as image:
        run_tests_tool.make(image).call({"tests": ["Zoos"]}, call)
    assert reported == [
        (1.0, "1 of 3 tests done, now ZooTest>>testOpen"),
        (2.0, "2 of 3 tests done, now ZooTest>>testOpen"),
    ]


def test_a_cancel_stops_them_by_their_id() -> None:
    call = Call()
    stop = Remembering(lambda body: value({"stopped": [body["evaluation"]]}))

    def cancelled(body: Any) -> Reply:
        call.cancel()
        return FAILED(body)

    tests = Remembering(cancelled)
    with asking(tests=tests, stop=stop) as image, pytest.raises(ImageError, match="cancelled"):
        run_tests_tool.make(image).call({"tests": ["Zoos"]}, call)
    assert stop.asked == [{"evaluation": tests.asked[0]["evaluation"]}]


def test_it_sends_its_arguments() -> None:
    tests = Remembering(FAILED)
    with asking(tests=tests) as image:
        result = run_tests_tool.make(image).call({"tests": ["ZooTest>>testOpen"]}, Call())
    [asked] = tests.asked
    assert asked.pop("evaluation").startswith("e-")
    assert asked == {
        "tests": ["ZooTest>>testOpen"],
        "onlyFailures": True,
        "timeoutSeconds": 600,
        "testTimeoutSeconds": 10,
    }
    assert isinstance(result.contents[0], TextContent)
    assert not result.is_error


def test_without_a_change_no_test_is_affected() -> None:
    lines = text(run_tests_tool, "tests", exchange("tests_affected"), tests=["affected"]).splitlines()
    assert lines == [
        "Nothing has changed, so no tests are affected.",
        "0 tests: none ran.",
        "There are no tests in this selection.",
    ]


def test_how_affected_tests_are_known_comes_first() -> None:
    affected = {"methods": 4, "classes": 2, "changed": 1}
    counts = {"total": 1, "passed": 1, "failures": 0, "errors": 0}
    answer = answering(**counts, tests=[], affected=affected)
    lines = text(run_tests_tool, "tests", answer, tests=["affected"]).splitlines()
    assert lines == [
        "Tests that reach 4 methods and 2 class definitions: 1 in this code.",
        "Calls by computed selectors, data, and code of the kernel are not seen.",
        "1 test: 1 passed.",
    ]


def test_what_the_search_leaves_out_is_named() -> None:
    ways = {"bySenders": 7, "byCoverage": 1200, "notFollowed": ["printOn:"], "steps": 3}
    affected = {"methods": 1, "classes": 0, **ways}
    counts = {"total": 1207, "passed": 1207, "failures": 0, "errors": 0}
    answer = answering(**counts, tests=[], affected=affected)
    lines = text(run_tests_tool, "tests", answer, since=12).splitlines()
    assert lines[:3] == [
        "Tests that reach 1 method: 1,200 by coverage, 7 by senders.",
        "Too common to follow: printOn:.",
        "Calls by computed selectors, data, and code of the kernel are not seen, nor chains of more than 3 "
        "senders.",
    ]


def test_since_asks_for_affected_tests() -> None:
    tests = Remembering(FAILED)
    with asking(tests=tests) as image:
        run_tests_tool.make(image).call({"since": 12}, Call())
    assert tests.asked[0]["affected"] is True
    assert tests.asked[0]["since"] == 12


def test_mutants_that_no_test_notices_are_diffs_of_their_places() -> None:
    item = {
        "className": "ShOrder",
        "side": "class",
        "selector": "isFull",
        "kind": "comparison",
        "line": 3,
        "before": "^ size >= 10",
        "after": "^ size > 10",
        "tests": 4,
    }
    other = {**item, "line": 4, "tests": 0}
    items = [item, other, {**item, "kind": "number", "after": "^ size >= 11"}]
    mutants = {"total": 14, "methods": 3, "noticed": 8, "unnoticed": 4, "notTried": 2, "items": items}
    counts = {"total": 4, "passed": 4, "failures": 0, "errors": 0}
    answer = answering(**counts, tests=[], mutants={**mutants, "notReached": ["ShOrder>>close"]})
    lines = text(run_tests_tool, "tests", answer, mutants=True).splitlines()
    assert lines == [
        "4 tests: 4 passed.",
        "",
        "Noticed by the tests: 8 of 12 mutants (66 %) of 3 methods.",
        "All mutants were taken back: the code is as it was.",
        "Not tried: 2. Raise timeout_seconds, or name fewer methods with mutate.",
        "Reached by no test, so not tried: ShOrder>>close",
        "No test notices these, the most telling first:",
        "    ShOrder class>>isFull, line 3 (4 tests)",
        "        - ^ size >= 10",
        "        + ^ size > 10",
        "        + ^ size >= 11",
        "    ShOrder class>>isFull, line 4 (no test reaches it)",
        "        - ^ size >= 10",
        "        + ^ size > 10",
        "    … and 1 more",
    ]


def test_code_without_methods_to_mutate_is_no_success() -> None:
    mutants = {"total": 0, "methods": 0, "noticed": 0, "unnoticed": 0}
    answer = answering(total=1, passed=1, failures=0, errors=0, tests=[], mutants=mutants)
    *_, last = text(run_tests_tool, "tests", answer, mutate=["ShOrderTest"]).splitlines()
    assert (
        last == "No methods to mutate: those of tests and traits, abstract ones and primitives are left out."
    )


def test_slower_than_needs_a_change_to_compare_with() -> None:
    with asking() as image:
        result = run_tests_tool.make(image).call({"tests": ["Zoo"], "slower_than": 2}, Call())
    assert result.is_error
    assert result.contents == (
        TextContent("slower_than needs against, the number of a change. No tests were run."),
    )


def test_a_test_that_is_slower_than_before_fails_with_the_ratio() -> None:
    times = {"before": 12300.0, "now": 23700.0, "ratio": 1.93, "least": 1.8, "greatest": 2.0, "rounds": 11}
    slow = {
        "className": "ShOrderTest",
        "selector": "testTotal",
        "outcome": "failure",
        "seconds": 0.02,
        "messageText": "It takes more than 1.5 times as long as before change 12.",
        "comparison": times,
    }
    compared = {
        "change": 12,
        "slowerThan": 1.5,
        "compared": 3,
        "slower": 1,
        "failing": ["ShOrderTest>>testNew"],
        "notTried": 2,
        "methods": ["ShOrder>>total"],
        "notCompared": ["ShOrder>>discount"],
    }
    answer = answering(total=6, passed=5, failures=1, errors=0, tests=[slow], times=compared)
    assert text(run_tests_tool, "tests", answer, against=12).splitlines() == [
        "6 tests: 5 passed, 1 failure.",
        "",
        "failure: ShOrderTest>>testTotal",
        "    It takes more than 1.5 times as long as before change 12.",
        "    Now it takes 1.93 times as long (1.80 to 2.00 in 11 rounds): 23.7 ms instead of 12.3 ms a run.",
        "",
        "SUnit's own frames are left out.",
        "",
        "Times compared with those before change 12: 3 tests; more than 1.5 times as long: 1.",
        "No time was left for 2: raise timeout_seconds, or name fewer tests.",
        "Not compared, since they do not pass each time: ShOrderTest>>testNew",
        "Compared with the earlier ShOrder>>total.",
        "Also changed, but not compared: ShOrder>>discount.",
    ]


def test_an_interrupted_comparison_of_tests_says_so() -> None:
    compared = {"change": 12, "slowerThan": 2, "compared": 0, "slower": 0, "notTried": 2, "interrupted": True}
    answer = answering(total=2, passed=2, failures=0, errors=0, tests=[], times=compared)
    words = text(run_tests_tool, "tests", answer, against=12, slower_than=2)
    assert "0 tests; more than 2 times as long: none." in words
    assert "The image was saved meanwhile, which ended the comparison." in words


def test_times_need_no_selection_of_tests() -> None:
    remembering = Remembering(exchange("tests_affected"))
    with asking(tests=remembering) as image:
        run_tests_tool.make(image).call({"against": 12, "slower_than": 2}, Call())
    [asked] = remembering.asked
    assert (asked["against"], asked["slowerThan"]) == (12, 2)
    assert "affected" not in asked


def test_mutants_need_no_selection_of_tests() -> None:
    tests = Remembering(FAILED)
    with asking(tests=tests) as image:
        run_tests_tool.make(image).call({"mutate": ["ShOrder"], "since": 3}, Call())
    [asked] = tests.asked
    assert (asked["mutants"], asked["mutate"], asked["since"]) == (True, ["ShOrder"], 3)
    assert "affected" not in asked


def test_coverage_follows_the_tests() -> None:
    lines = text(
        run_tests_tool,
        "tests",
        exchange("tests_coverage"),
        tests=["PmcMadeGateTest"],
        coverage=["PmcMade"],
    ).splitlines()
    assert lines == [
        "1 test: 1 passed.",
        "",
        "Coverage of PmcMade: 2 of 3 methods (66 %), 1 of 2 blocks (50 %).",
        "Not reached:",
        "    PmcMadeGate, 2 of 3 methods: close",
        "        in part: toggle",
        "            line 4: ifTrue: [ self close ]",
    ]


def test_coverage_that_is_long_or_incomplete_says_so() -> None:
    totals = {"methods": 3000, "reached": 2999, "blocks": 0, "reachedBlocks": 0}
    partly = {"selector": "open", "lines": [{"line": 2, "sourceLine": "[ self close ]"}], "more": 3}
    side = {"className": "Zoo", "side": "class", **totals, "notReached": [], "partly": [partly]}
    coverage = {
        "packages": [{"name": "Zoo", **totals}, {"name": "Empty", **dict.fromkeys(totals, 0)}],
        "classes": [side],
        "unlisted": 1200,
        "notCounted": [{"methods": 1, "why": "with a primitive"}, {"methods": 2, "why": "of a trait"}],
        "interrupted": True,
    }
    answer = answering(total=0, passed=0, failures=0, errors=0, tests=[], coverage=coverage)
    lines = text(run_tests_tool, "tests", answer, tests=["Zoo"], coverage=["Zoo", "Empty"]).splitlines()
    assert lines[2:] == [
        "Coverage of Zoo: 2,999 of 3,000 methods (99 %).",
        "Coverage of Empty: 0 of 0 methods.",
        "The image was saved while the tests ran; what they reached afterwards is not counted.",
        "Not reached:",
        "    Zoo class, 2,999 of 3,000 methods",
        "        in part: open",
        "            line 2: [ self close ]",
        "            … and 3 more",
        "    … and 1,200 more methods",
        "Not counted: 1 method with a primitive, 2 methods of a trait.",
    ]


def test_code_is_read_in_the_same_call() -> None:
    code = Remembering(exchange("code_read"))
    with asking(tests=FAILED, code=code) as image:
        result = run_tests_tool.make(image).call({"tests": ["Zoo"], "read": ["PmcExampleShape"]}, Call())
    tests, read = (content.text for content in result.contents if isinstance(content, TextContent))
    assert tests.startswith("4 tests: 1 passed")
    assert "PmcExampleCircle >> area [" in read
    [asked] = code.asked
    assert asked["items"] == ["PmcExampleShape"]
    assert asked["maxCharacters"] == 30_000 - len(tests), "an answer has 30,000 characters in all"
