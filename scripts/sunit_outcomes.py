"""Compare the outcomes of the companion's SUnit tests with the tests in its sources."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

TEST = re.compile(r"^(\w+) >> (test\w*) \[$", re.M)
LINE = re.compile(r"^SUNIT (\w+) (\w+) (passed|skipped|failed) ?(.*)$")

Name = tuple[str, str]
"""The class and the selector of a test."""


class Outcome(NamedTuple):
    """The outcome of one test."""

    kind: str
    reason: str


class Counts(NamedTuple):
    """The number of tests of a stage, by outcome."""

    run: int
    passed: int
    skipped: int
    failed: int


def written_tests(folder: Path) -> set[Name]:
    """The tests in the packages of tests in a folder."""
    files = folder.glob("*Tests/*Test.class.st")
    return {(name, selector) for file in files for name, selector in TEST.findall(file.read_text("utf-8"))}


def outcomes(lines: Iterable[str]) -> dict[Name, Outcome]:
    """Parse the output of `sunit.st`, ignoring other lines; return the outcomes by test."""
    matches = (LINE.match(line.rstrip()) for line in lines)
    return {(match[1], match[2]): Outcome(match[3], match[4]) for match in matches if match}


def problems(written: set[Name], ran: dict[Name, Outcome]) -> Iterator[str]:
    """A line for each test that failed or did not run."""
    if not written:
        yield "no tests were found"
    for name in sorted(written - ran.keys()):
        yield f"{'>>'.join(name)} did not run"
    for name, outcome in sorted(ran.items()):
        if outcome.kind == "failed":
            yield f"{'>>'.join(name)} failed: {outcome.reason}"


def counts(ran: dict[Name, Outcome]) -> Counts:
    """Count the tests by outcome."""
    kinds = [outcome.kind for outcome in ran.values()]
    return Counts(len(kinds), *(kinds.count(kind) for kind in ("passed", "skipped", "failed")))
