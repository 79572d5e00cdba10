"""Results of tests as text, with coverage and mutants; and profiles, as text and flame graphs."""

import re
from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile
from typing import NamedTuple

from pharo_mcp.image.replies import testing
from pharo_mcp.image.replies.code import method_name
from pharo_mcp.image.replies.evaluations import Comparison, MemoryCounts, Profile, ProfileRow, numbered
from pharo_mcp.tools.wording import count, indented, listed, shortened

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
"""Causes that are shown with a stack; the other tests that did not pass have a line each."""
MOST_OF_A_CAUSE = 50
"""Tests with one cause that are named."""
MOST_WITHOUT_SUMMARY = 20
"""Tests that did not pass; of more, a summary of the causes comes first."""
MOST_IN_SUMMARY = 10
"""Causes in the summary."""
LONGEST_CAUSE = 160
"""Characters of a cause in the summary, and where the difference is shown."""
LEAST_TIME = 1.0
"""Seconds; of runs and tests that took less the time is not shown."""
AFTER_FAILURES = "SUnit's own frames are left out."


def tests_lines(ran: testing.RanTests) -> Iterator[str]:
    """Yield the lines of a result: why these tests, how they ended, and what was found out with them."""
    if ran.affected:
        yield from affected_lines(ran.affected)
    yield from _outcome_lines(ran)
    if ran.coverage:
        yield from ("", *coverage_lines(ran.coverage))
    if ran.mutants:
        yield from ("", *mutants_lines(ran.mutants))
    if ran.times:
        yield from ("", *times_lines(ran.times))


def _outcome_lines(ran: testing.RanTests) -> Iterator[str]:
    counts = [
        count(number, one, many) for member, one, many in COUNTS if (number := getattr(ran, member)) > 0
    ]
    took = f" in {ran.elapsed:.1f} seconds" if (ran.elapsed or 0) >= LEAST_TIME else ""
    yield f"{count(ran.total, 'test')}{took}: {', '.join(counts) or 'none ran'}."
    if ran.note:
        yield ran.note
    if ran.not_run:
        yield f"Not run: {listed(ran.not_run, MOST_EXPECTED)}"
    failed = [test for test in ran.tests if test.outcome not in EXPECTED]
    expected = [test for test in ran.tests if test.outcome in EXPECTED]
    causes = _by_cause(failed)
    if len(failed) > MOST_WITHOUT_SUMMARY:
        yield from _summary(causes)
    for tests in causes[:MOST_STACKS]:
        yield from ("", _test_line(tests[0]), *indented(_failed(tests)))
    if without_stack := [test for tests in causes[MOST_STACKS:] for test in tests]:
        yield from ("", *map(_test_line, without_stack))
    if expected:
        yield from ("", *map(_test_line, expected[:MOST_EXPECTED]))
    if others := expected[MOST_EXPECTED:]:
        yield f"… and {len(others):,} more that did not fail."
    if failed:
        yield from ("", AFTER_FAILURES)


MOST_NOT_FOLLOWED = 5


def affected_lines(affected: testing.AffectedTests) -> Iterator[str]:
    """Yield how many tests reach the code in question, how that is known, and what it leaves out."""
    if not affected.methods and not affected.classes:
        yield "Nothing has changed, so no tests are affected."
        return
    subject = count(affected.methods, "method")
    if affected.classes:
        subject += f" and {count(affected.classes, 'class definition')}"
    ways = (
        (affected.changed, "in this code"),
        (affected.by_coverage, "by coverage"),
        (affected.by_senders, "by senders"),
    )
    known = ", ".join(f"{number:,} {way}" for number, way in ways if number)
    yield f"Tests that reach {subject}: {known or 'none'}."
    if affected.not_followed:
        yield f"Too common to follow: {listed(affected.not_followed, MOST_NOT_FOLLOWED)}."
    beyond = f", nor chains of more than {count(affected.steps, 'sender')}" if affected.steps else ""
    yield f"Calls by computed selectors, data, and code of the kernel are not seen{beyond}."


def _test_line(test: testing.RanTest) -> str:
    took = f", {test.seconds:.3f} s" if test.seconds >= LEAST_TIME else ""
    return f"{test.outcome}: {test.class_name}>>{test.selector}{took}"


def _by_cause(failed: Sequence[testing.RanTest]) -> list[list[testing.RanTest]]:
    """Return the tests, those with one cause together, in the order of the first of each."""
    causes: dict[object, list[testing.RanTest]] = {}
    for test in failed:
        causes.setdefault(_cause(test), []).append(test)
    return list(causes.values())


def _cause(test: testing.RanTest) -> object:
    """Return what is equal for tests with one cause: exception, message, and the stack above the tests.

    A single frame above a test is not enough: that is a primitive such as `/`, which two tests can call for
    different reasons.
    """
    stack = test.stack or ()
    above = [*takewhile(lambda frame: not _is_in(frame, test.selector), stack)]
    if not above or len(above) == 1 < len(stack):
        return test
    frames = (re.sub(r"\w[\w ]*\((\w[\w ]*)\)>>", r"\1>>", frame) for frame in above)
    return test.outcome, test.class_, test.message_text, tuple(frames)


def _is_in(frame: str, selector: str) -> bool:
    """Return whether a frame, such as `[ ] in Zoo>>feed: -- self open`, is in a method of that selector."""
    return frame.partition(" -- ")[0].endswith(f">>{selector}")


def _summary(causes: Sequence[Sequence[testing.RanTest]]) -> Iterator[str]:
    """Yield how many tests have each cause, those of the most tests first."""
    yield f"{count(len(causes), 'cause')}, of the most tests first:"
    most = sorted(causes, key=len, reverse=True)[:MOST_IN_SUMMARY]
    yield from indented(map(_summary_line, most), len(causes) - len(most))


def _summary_line(tests: Sequence[testing.RanTest]) -> str:
    test = tests[0]
    place = f", at {test.stack[0].partition(' -- ')[0]}" if test.stack else ""
    return f"{count(len(tests), 'test')}: {_short(_cause_in_words(test) or test.outcome)}{place}"


def _cause_in_words(test: testing.RanTest) -> str:
    return ": ".join(filter(None, (test.class_, test.message_text)))


def _short(cause: str) -> str:
    """Return a cause in one line; of a long one the beginning."""
    return shortened(" ".join(cause.split()), LONGEST_CAUSE)


LINE_END = "\N{RETURN SYMBOL}"
"""What shows a line end in a string of several lines."""


def _difference_lines(difference: testing.Difference) -> Iterator[str]:
    place = f" at {difference.position:,}" if difference.position else ""
    line = f", line {difference.line:,}" if difference.line else ""
    yield f"First difference{place}{line}:" if place else "Difference:"
    yield f"    got      {LINE_END.join(difference.actual.splitlines())}"
    yield f"    expected {LINE_END.join(difference.expected.splitlines())}"


def _failed(tests: Sequence[testing.RanTest]) -> Iterator[str]:
    """Yield what is known of tests with one cause: the stack of the first, and the names of the others."""
    test, others = tests[0], tests[1:]
    if cause := _cause_in_words(test):
        yield _short(cause) if test.difference else cause
    if test.difference:
        yield from _difference_lines(test.difference)
    if test.comparison:
        yield _how_long(test.comparison)
    yield from numbered(test.stack or ())
    itself = f"{test.class_name}>>#{test.selector}"
    yield from (str(frame) for frame in test.frames or () if frame.shows_more_than(itself))
    if test.error_id:
        yield f"error_id: {test.error_id}"
    if others:
        names = listed([f"{each.class_name}>>{each.selector}" for each in others], MOST_OF_A_CAUSE)
        yield f"The same exception at the same place in {count(len(others), 'other')}: {names}"


def coverage_lines(coverage: testing.Coverage) -> Iterator[str]:
    """Yield the lines of a coverage."""
    yield from map(_package_coverage, coverage.packages)
    if coverage.interrupted:
        yield "The image was saved while the tests ran; what they reached afterwards is not counted."
    if coverage.classes:
        yield "Not reached:"
        lines = (line for each in coverage.classes for line in _class_coverage(each))
        yield from indented(lines)
    if coverage.unlisted:
        yield f"    … and {count(coverage.unlisted, 'more method')}"
    if coverage.not_counted:
        kinds = (f"{count(each.methods, 'method')} {each.why}" for each in coverage.not_counted)
        yield f"Not counted: {', '.join(kinds)}."


def _package_coverage(package: testing.PackageCoverage) -> str:
    methods = _reached_part(package.reached, package.methods, "method")
    blocks = f", {_reached_part(package.reached_blocks, package.blocks, 'block')}" if package.blocks else ""
    return f"Coverage of {package.name}: {methods}{blocks}."


def _reached_part(reached: int, total: int, noun: str) -> str:
    """Return a part with its percentage, rounded down: 100 % are all."""
    percentage = f" ({100 * reached // total} %)" if total else ""
    return f"{reached:,} of {count(total, noun)}{percentage}"


def _class_coverage(each: testing.ClassCoverage) -> Iterator[str]:
    name = f"{each.class_name}{' class' if each.side == 'class' else ''}"
    selectors = f": {', '.join(each.not_reached)}" if each.not_reached else ""
    yield f"{name}, {each.reached:,} of {count(each.methods, 'method')}{selectors}"
    for method in each.partly:
        lines = (f"line {line}: {source_line}" for line, source_line in method.lines)
        yield from indented((f"in part: {method.selector}", *indented(lines, method.more)))


def mutants_lines(mutants: testing.Mutants) -> Iterator[str]:
    """Yield how many of the mutants the tests noticed, and those that they did not as diffs."""
    if not mutants.methods:
        yield "No methods to mutate: those of tests and traits, abstract ones and primitives are left out."
        return
    tried = mutants.noticed + mutants.unnoticed
    noticed = _reached_part(mutants.noticed, tried, "mutant")
    yield f"Noticed by the tests: {noticed} of {count(mutants.methods, 'method')}."
    yield "All mutants were taken back: the code is as it was."
    if mutants.interrupted:
        yield "The image was saved meanwhile, which ended the trial."
    if mutants.not_tried:
        yield f"Not tried: {mutants.not_tried:,}. Raise timeout_seconds, or name fewer methods with mutate."
    if mutants.not_reached:
        yield f"Reached by no test, so not tried: {listed(mutants.not_reached, MOST_EXPECTED)}"
    if mutants.items:
        yield "No test notices these, the most telling first:"
        lines = (line for place in _by_place(mutants.items) for line in _place(place))
        yield from indented(lines, mutants.unnoticed - len(mutants.items))


def _by_place(mutants: Sequence[testing.Mutant]) -> Collection[Sequence[testing.Mutant]]:
    """Return the mutants, those of one place together, in the order of the first of each."""
    places: dict[object, list[testing.Mutant]] = {}
    for mutant in mutants:
        places.setdefault(mutant._replace(kind="", after=""), []).append(mutant)
    return places.values()


def _place(mutants: Sequence[testing.Mutant]) -> Iterator[str]:
    """Yield a place, its code, and the code of each mutant of it."""
    first = mutants[0]
    name = method_name(first.class_name, first.side, first.selector)
    reached = count(first.tests, "test") if first.tests else "no test reaches it"
    yield f"{name}, line {first.line} ({reached})"
    yield from indented((f"- {first.before}", *(f"+ {mutant.after}" for mutant in mutants)))


def times_lines(times: testing.ComparedTimes) -> Iterator[str]:
    """Yield how many tests were compared with earlier code, and which could not be."""
    yield (
        f"Times compared with those before change {times.change}: {count(times.compared, 'test')}; "
        f"more than {times.slower_than:g} times as long: {times.slower or 'none'}."
    )
    if times.interrupted:
        yield "The image was saved meanwhile, which ended the comparison."
    elif times.not_tried:
        yield f"No time was left for {times.not_tried:,}: raise timeout_seconds, or name fewer tests."
    if times.failing:
        yield f"Not compared, since they do not pass each time: {listed(times.failing, MOST_EXPECTED)}"
    yield from _what_was_compared(times)


LEAST_SHARE = 0.02
"""Of the time: paths with less are left out."""
MOST_LINES = 20
"""Of the tree; with more, a larger share is needed."""
LEAST_OWN = 0.01
"""The same for the own time of methods."""
MOST_LEAVES = 8
MOST_WAITS = 3
LONGEST_CHAIN = 5
"""Methods in a line; of a longer chain both ends are shown."""
ARROW = " \N{RIGHTWARDS ARROW} "
MOST_DISPLACED = 0.1
"""Of the time: displacement is reported from here on. Processes that only supervise the code stay below."""
MOST_COMPARED = 20
"""Methods that are named."""
FEW_SAMPLES = 50
"""With fewer, percentages say little."""


class HotPath(NamedTuple):
    """A line of the tree: a chain of methods, each of which called only the next."""

    depth: int
    chain: tuple[ProfileRow, ...]


def profile_lines(profile: Profile, evaluation: str | None) -> Iterator[str]:
    """Yield the lines of a profile, and the URI of its flame graph."""
    yield from _profile_head(profile)
    if profile.samples:
        paths, least = _hot_paths(profile)
        yield from ("", *(_path_line(path, profile, least) for path in paths))
        shown = sum(len(path.chain) for path in paths)
        if more := len(profile.tree) - shown + profile.left_out:
            yield f"Left out: {count(more, 'call')} with less than {100 * least:.2g} % of the time."
        yield from _leaves(profile)
        if evaluation:
            yield from ("", f"Flame graph: {flame_graph_uri(evaluation)}")


def comparison_lines(comparison: Comparison) -> Iterator[str]:
    """Yield how the times compare, with the spread, and what was compared."""
    if comparison.interrupted or not comparison.rounds:
        yield "The times could not be compared: the image was saved meanwhile."
        return
    yield _how_long(comparison)
    yield from _what_was_compared(comparison)


def _how_long(comparison: Comparison) -> str:
    rounds = count(comparison.rounds, "round")
    spread = f"{_times(comparison.least or 0)} to {_times(comparison.greatest or 0)} in {rounds}"
    return (
        f"Now it takes {_times(comparison.ratio)} times as long ({spread}): "
        f"{_duration(comparison.now)} instead of {_duration(comparison.before)} a run."
    )


def _what_was_compared(compared: Comparison | testing.ComparedTimes) -> Iterator[str]:
    yield f"Compared with the earlier {listed(compared.methods, MOST_COMPARED)}."
    if compared.not_compared:
        yield f"Also changed, but not compared: {listed(compared.not_compared, MOST_COMPARED)}."


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 100 else f"{ratio:.2f}" if ratio >= 0.1 else f"{ratio:.2g}"


def _duration(microseconds: float) -> str:
    return f"{microseconds / 1000:,.3g} ms" if microseconds >= 100 else f"{microseconds:.2g} µs"


def flame_graph_uri(evaluation: str) -> str:
    """Return the URI of the flame graph of an evaluation."""
    return f"pharo://evaluation/{evaluation}/flame-graph"


def _profile_head(profile: Profile) -> Iterator[str]:
    if not profile.samples:
        yield "Profile: no samples, because the code took too little time. Repeat it in a loop."
        return
    running = profile.share(profile.total - profile.waiting)
    waiting = f"; running {running}, waiting {profile.share(profile.waiting)}"
    yield (
        f"Profile: {profile.total / 1_000_000:.2f} s in {count(profile.samples, 'sample')}"
        f"{waiting if profile.waiting else ''}."
    )
    if profile.samples < FEW_SAMPLES:
        yield "The percentages are rough: repeat the code in a loop for more samples."
    if profile.displaced > MOST_DISPLACED * profile.total:
        yield f"Not included: {profile.displaced / 1_000_000:.2f} s in which other processes ran."
    memory = "; ".join(_memory(profile.memory))
    if memory:
        yield f"Memory, all processes: {memory}."
    yield from profile.notes


def _memory(counts: MemoryCounts) -> Iterator[str]:
    if counts.allocated_bytes is not None:
        yield f"{counts.allocated_bytes / 1_000_000:,.1f} MB allocated"
    if counts.scavenges is not None:
        yield f"{count(counts.scavenges, 'scavenge')}, {counts.scavenge_milliseconds or 0:,} ms"
    if counts.full_collections is not None:
        collections = count(counts.full_collections, "full collection")
        yield f"{collections}, {counts.full_collection_milliseconds or 0:,} ms"


def _hot_paths(profile: Profile) -> tuple[list[HotPath], float]:
    """Return the lines of the tree, and the share below which rows are left out."""
    least = LEAST_SHARE
    while True:
        rows = [row for row in profile.tree if row.total >= least * profile.total]
        paths = list(_folded(rows, least * profile.total))
        if len(paths) <= MOST_LINES:
            return paths, least
        least *= 1.25


def _folded(rows: Sequence[ProfileRow], least: float) -> Iterator[HotPath]:
    """Yield rows, each together with those that follow it as its only callees, if these take `least`."""
    depths: list[int] = []  # of the rows in whose lines the next one is indented
    index = 0
    while index < len(rows):
        first = rows[index]
        chain = [first]
        index += 1
        while index < len(rows) and _is_all_of(chain[-1], rows[index], least):
            chain.append(rows[index])
            index += 1
        while depths and depths[-1] >= first.depth:
            depths.pop()
        yield HotPath(len(depths), tuple(chain))
        depths.append(chain[-1].depth)


def _is_all_of(row: ProfileRow, next_row: ProfileRow, least: float) -> bool:
    """Return whether the next row is called by this one and leaves it hardly any time for anything else."""
    return next_row.depth > row.depth and row.total - next_row.total < least


def _path_line(path: HotPath, profile: Profile, least: float) -> str:
    first, last = path.chain[0], path.chain[-1]
    names = [f"{row.method} (recursive)" if row.recursive else row.method for row in path.chain]
    if len(names) > LONGEST_CHAIN:
        names[3:-1] = [f"… {len(names) - 4} more …"]
    details = []
    if last.own >= least * profile.total and last.own < last.total:
        details.append(f"own {profile.share(last.own)}")
    if last.waiting >= least * profile.total:
        all_of_it = last.waiting * 1.02 >= last.total
        details.append("waiting" if all_of_it else f"waiting {profile.share(last.waiting)}")
    more = f"  [{', '.join(details)}]" if details else ""
    return f"{profile.share(first.total):>7}  {'  ' * path.depth}{ARROW.join(names)}{more}"


def _leaves(profile: Profile) -> Iterator[str]:
    running = [(leaf.own - leaf.waiting, leaf.method) for leaf in profile.leaves]
    waiting = [(leaf.waiting, leaf.method) for leaf in profile.leaves]
    for heading, methods, limit in (
        ("Own time by method:", running, MOST_LEAVES),
        ("Waiting in:", waiting, MOST_WAITS),
    ):
        if most := [each for each in methods if each[0] >= LEAST_OWN * profile.total]:
            yield from ("", heading)
            most.sort(key=lambda each: -each[0])
            yield from (f"{profile.share(time):>7}  {method}" for time, method in most[:limit])
