"""The arithmetic of the benchmark."""

import pytest

from benchmark.figures import EXCEEDED, KEPT, UNKNOWN, Measured, percentile
from benchmark.running import Run, line

CALL = Measured("calls", "a call, p50", "pharo-mcp", "ms", 1.4)


@pytest.mark.parametrize(
    ("percent", "expected"), [(1, 1), (50, 50), (99, 99), (99.5, 100), (100, 100)], ids=str
)
def test_a_percentile_is_a_sample_that_so_many_do_not_exceed(percent: float, expected: float) -> None:
    assert percentile(range(100, 0, -1), percent) == expected


def test_every_percentile_of_one_sample_is_that_sample() -> None:
    assert [percentile([7.0], percent) for percent in (0, 50, 99)] == [7.0, 7.0, 7.0]


def test_the_ratio_is_the_median_of_the_rounds_and_not_that_of_the_medians() -> None:
    figure = CALL.beside("bare httpx request", [(2.0, 2.0), (8.0, 4.0), (9.0, 3.0)])
    assert (figure.ratio, figure.low, figure.high) == (2.0, 1.0, 3.0)
    assert (figure.value, figure.reference_value) == (8.0, 3.0)


def test_a_round_that_something_else_slowed_down_does_not_change_the_ratio() -> None:
    quiet, slow = (1.2, 1.0), (12.0, 10.0)
    assert CALL.beside("bare httpx request", [quiet, slow, quiet]).ratio == pytest.approx(1.2)


def test_a_limit_is_one_of_the_ratio_if_there_is_one() -> None:
    assert CALL.beside("bare httpx request", [(2.8, 2.0)]).verdict == KEPT
    assert CALL.beside("bare httpx request", [(2.9, 2.0)]).verdict == EXCEEDED
    assert CALL.alone([1.3]).verdict == KEPT
    assert CALL._replace(limit=None).alone([9.0]).verdict == ""


def test_on_a_busy_machine_a_limit_can_be_seen_kept_but_not_exceeded() -> None:
    assert CALL.alone([1.3], is_quiet=False).verdict == KEPT
    assert CALL.alone([1.5], is_quiet=False).verdict == UNKNOWN


def test_figures_are_printed_with_their_spread_and_limit() -> None:
    beside = CALL.beside("bare httpx request", [(1.0, 0.5), (1.1, 0.5), (1.2, 0.5)])
    assert line(beside) == (
        "pharo-mcp: a call, p50: 1.1 ms, 2.20 times bare httpx request (2.00 to 2.40; 0.5 ms); "
        "limit 1.4: exceeded"
    )
    memory = Measured("memory", "after 1,000 calls", "pharo-mcp", "MB", 28.0)
    assert line(memory.alone([27.0])) == "pharo-mcp: after 1,000 calls: 27 MB; limit 28: kept"
    size = Measured("reading", "list of 31 tools", "pharo-mcp", "bytes")
    assert line(size.alone([19769])) == "pharo-mcp: list of 31 tools: 19,769 bytes"


def test_a_run_is_written_and_read_again() -> None:
    run = Run({"date": "2026-11-22"}, [CALL.beside("bare httpx request", [(2.0, 1.0)]), CALL.alone([1.0])])
    assert Run.from_json(run.to_json()) == run
