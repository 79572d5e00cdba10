"""What came of tests, as text: the count first, then what did not pass, with its stack."""

from collections.abc import Iterator

from pharo_mcp.image import RanTest, RanTests

from .next_steps import NEXT_STEPS
from .wording import count

COUNTS = (
    ("passed", "passed", "passed"),
    ("failures", "failure", "failures"),
    ("errors", "error", "errors"),
    ("skipped", "skipped", "skipped"),
    ("expected_defects", "expected defect", "expected defects"),
    ("unexpected_passes", "unexpected pass", "unexpected passes"),
)
"""The counts that an image tells, with words for one and for more."""
FINE = ("passed", "skipped", "expectedDefect")
MOST_FINE = 100
"""Tests that are as they should be, or did not run, and are named."""
MOST_STACKS = 20
"""Tests that did not pass, and are told with their stacks; the others have a line each."""


def tests_lines(ran: RanTests) -> Iterator[str]:
    """What came of tests."""
    counts = [
        count(number, one, many) for member, one, many in COUNTS if (number := getattr(ran, member)) > 0
    ]
    took = "" if ran.elapsed is None else f" in {ran.elapsed:.1f} seconds"
    yield f"{count(ran.total, 'test')}{took}: {', '.join(counts) or 'none was run'}."
    if ran.note:
        yield ran.note
    if ran.not_run:
        more = len(ran.not_run) - MOST_FINE
        yield f"Not run: {', '.join(ran.not_run[:MOST_FINE])}{f', … and {more:,} more' if more > 0 else ''}"
    bad, fine = _parted(ran)
    for test in bad[:MOST_STACKS]:
        yield ""
        yield from _bad(test)
    if without_stack := bad[MOST_STACKS:]:
        yield from ("", *map(_line, without_stack))
    if fine:
        yield from ("", *map(_line, fine[:MOST_FINE]))
    if others := fine[MOST_FINE:]:
        yield f"… and {len(others):,} more that are as they should be."
    if bad:
        yield from ("", "After a change, run_tests with class_name and selector runs one of them again.")
    elif ran.passed and not ran.not_run:
        yield from ("", NEXT_STEPS["run_tests"])


def as_told(ran: RanTests) -> RanTests:
    """What came of tests, for programs: no more of the tests than the text tells, and the counts of all."""
    bad, fine = _parted(ran)
    in_short, left_out = set(bad[MOST_STACKS:]), set(fine[MOST_FINE:])
    tests = (
        test._replace(class_=None, message_text=None, stack=None) if test in in_short else test
        for test in ran.tests
        if test not in left_out
    )
    return ran._replace(tests=tuple(tests), not_run=ran.not_run[:MOST_FINE])


def _parted(ran: RanTests) -> tuple[list[RanTest], list[RanTest]]:
    """Those that did not pass, and those that are as they should be."""
    fine = [test for test in ran.tests if test.outcome in FINE]
    return [test for test in ran.tests if test.outcome not in FINE], fine


def _line(test: RanTest) -> str:
    return f"{test.outcome}: {test.class_name}>>{test.selector}, {test.seconds:.3f} s"


def _bad(test: RanTest) -> Iterator[str]:
    yield _line(test)
    cause = ": ".join(filter(None, (test.class_, test.message_text)))
    if cause:
        yield f"    {cause}"
    yield from (f"    {frame}" for frame in test.stack or ())
