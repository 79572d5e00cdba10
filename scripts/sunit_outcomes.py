"""What became of the companion's SUnit tests, held against the tests that are written."""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

TEST = re.compile(r"^(\w+) >> (test\w*) \[$", re.M)
LINE = re.compile(r"^SUNIT (\w+) (\w+) (passed|skipped|failed) ?(.*)$")

Name = tuple[str, str]
"""Of a test: its class and its selector."""


class Outcome(NamedTuple):
    """Of one test."""

    kind: str
    reason: str


class Counts(NamedTuple):
    """Of a stage."""

    run: int
    passed: int
    skipped: int
    failed: int


def written_tests(package: Path) -> set[Name]:
    """The tests in a Tonel package."""
    files = package.glob("*Test.class.st")
    return {(name, selector) for file in files for name, selector in TEST.findall(file.read_text("utf-8"))}


def outcomes(lines: Iterable[str]) -> dict[Name, Outcome]:
    """What `sunit.st` printed, by test; other lines are left out."""
    found = (LINE.match(line.rstrip()) for line in lines)
    return {(each[1], each[2]): Outcome(each[3], each[4]) for each in found if each}


def problems(written: set[Name], ran: dict[Name, Outcome]) -> Iterator[str]:
    """A line for each test that failed, or is written and did not run."""
    if not written:
        yield "no test is written"
    for name in sorted(written - ran.keys()):
        yield f"{'>>'.join(name)} did not run"
    for name, outcome in sorted(ran.items()):
        if outcome.kind == "failed":
            yield f"{'>>'.join(name)} failed: {outcome.reason}"


def counts(ran: dict[Name, Outcome]) -> Counts:
    """How many of which kind."""
    kinds = [outcome.kind for outcome in ran.values()]
    return Counts(len(kinds), *(kinds.count(kind) for kind in ("passed", "skipped", "failed")))
