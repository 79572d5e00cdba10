"""The results of tests as text: the counts first, then the tests that did not pass, with their stacks."""

from collections.abc import Iterator

from pharo_mcp.image import RanTest, RanTests

from .wording import NEXT_STEPS, count

COUNTS = (
    ("passed", "passed", "passed"),
    ("failures", "failure", "failures"),
    ("errors", "error", "errors"),
    ("skipped", "skipped", "skipped"),
    ("expected_defects", "expected defect", "expected defects"),
    ("unexpected_passes", "unexpected pass", "unexpected passes"),
)
"""The counts of a result, each with its singular and its plural."""
EXPECTED = ("passed", "skipped", "expectedDefect")
"""The outcomes that need no attention."""
MOST_EXPECTED = 100
"""Tests with these outcomes, and tests that did not run, that are named."""
MOST_STACKS = 20
"""Tests that did not pass and are shown with their stacks; the others have a line each."""


def tests_lines(ran: RanTests) -> Iterator[str]:
    """Yield the lines of a result."""
    counts = [
        count(number, one, many) for member, one, many in COUNTS if (number := getattr(ran, member)) > 0
    ]
    took = "" if ran.elapsed is None else f" in {ran.elapsed:.1f} seconds"
    yield f"{count(ran.total, 'test')}{took}: {', '.join(counts) or 'none ran'}."
    if ran.note:
        yield ran.note
    if ran.not_run:
        more = len(ran.not_run) - MOST_EXPECTED
        names = ", ".join(ran.not_run[:MOST_EXPECTED])
        yield f"Not run: {names}{f', … and {more:,} more' if more > 0 else ''}"
    failed, expected = _parted(ran)
    for test in failed[:MOST_STACKS]:
        yield ""
        yield from _failed(test)
    if without_stack := failed[MOST_STACKS:]:
        yield from ("", *map(_line, without_stack))
    if expected:
        yield from ("", *map(_line, expected[:MOST_EXPECTED]))
    if others := expected[MOST_EXPECTED:]:
        yield f"… and {len(others):,} more that did not fail."
    if failed:
        yield from ("", "After a change, repeat a single test by run_tests with class_name and selector.")
    elif ran.passed and not ran.not_run:
        yield from ("", NEXT_STEPS["run_tests"])


def as_shown(ran: RanTests) -> RanTests:
    """Return the structured result: the counts of all tests, and the tests that the text shows."""
    failed, expected = _parted(ran)
    without_stack, left_out = set(failed[MOST_STACKS:]), set(expected[MOST_EXPECTED:])
    tests = (
        _without_stack(test) if test in without_stack else test for test in ran.tests if test not in left_out
    )
    return ran._replace(tests=tuple(tests), not_run=ran.not_run[:MOST_EXPECTED])


def _without_stack(test: RanTest) -> RanTest:
    return test._replace(class_=None, message_text=None, stack=None, frames=None, error_id=None)


def _parted(ran: RanTests) -> tuple[list[RanTest], list[RanTest]]:
    """Return the tests that need attention, and the others."""
    expected = [test for test in ran.tests if test.outcome in EXPECTED]
    return [test for test in ran.tests if test.outcome not in EXPECTED], expected


def _line(test: RanTest) -> str:
    return f"{test.outcome}: {test.class_name}>>{test.selector}, {test.seconds:.3f} s"


def _failed(test: RanTest) -> Iterator[str]:
    yield _line(test)
    cause = ": ".join(filter(None, (test.class_, test.message_text)))
    if cause:
        yield f"    {cause}"
    yield from (f"    {frame}" for frame in test.stack or ())
    yield from (f"    {frame}" for frame in test.frames or ())
    if test.error_id:
        yield f"    error_id: {test.error_id}"
