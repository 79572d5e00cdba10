"""Plays sessions until a number of lines were sent; used by `scripts/soak`."""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic

from .playing import SessionFailed, Setup, play
from .sessions import Session, session_by, shrunk
from .stub_image import stub_image

REPORT_AFTER = 10_000
"""Lines after which progress is reported."""
SHRINKING = 300.0
"""Seconds to shrink a failing session; each attempt may take long if something hangs."""


def soak(lines: int, seed: str, report_progress: Callable[[str], None]) -> str | None:
    """Play the sessions of a seed up to the first that fails; return its report."""
    begun, sent, reported, ends = monotonic(), 0, 0, Counter[str]()
    with new_setup() as setup:
        for number in count():
            session = session_of(seed, number)
            if failure := failure_of(session, setup):
                return report(session, setup, failure, repeat=f"--seed {seed} --session {number}")
            sent += session.lines
            ends[session.end.how] += 1
            if sent >= min(lines, reported + REPORT_AFTER):
                reported = sent
                processes = ", ".join(f"{how} {ends[how]}" for how in sorted(ends))
                report_progress(
                    f"{sent} lines in {monotonic() - begun:.0f} s, {ends.total()} processes: {processes}"
                )
            if sent >= lines:
                return None
    raise AssertionError("unreachable")


def play_again(seed: str, number: int) -> str | None:
    """Play one session; return a report if it fails."""
    session = session_of(seed, number)
    with new_setup() as setup:
        if failure := failure_of(session, setup):
            return report(session, setup, failure, repeat=f"--seed {seed} --session {number}")
    return None


def session_of(seed: str, number: int) -> Session:
    """The same session for the same seed and number, everywhere."""
    return session_by(Random(f"{seed}/{number}"))


@contextmanager
def new_setup() -> Iterator[Setup]:
    """An empty home and a stub image."""
    with tempfile.TemporaryDirectory() as home, stub_image() as url:
        yield Setup(Path(home), url)


def failure_of(session: Session, setup: Setup) -> str | None:
    """The failure of a session, if it fails."""
    try:
        play(session, setup)
    except SessionFailed as failed:
        return "\n".join(str(each) for each in failed.args if each)
    return None


def report(session: Session, setup: Setup, failure: str, repeat: str) -> str:
    """The report of a failure: its lines, shrunk if possible, and the command that repeats it."""
    until = monotonic() + SHRINKING
    smaller = shrunk(session, lambda each: monotonic() < until and failure_of(each, setup) is not None)
    rounds = "\n\n".join("\n".join(map(repr, lines)) for lines in smaller.rounds)
    return (
        f"Failed: {failure}\n\nThe image {'is there' if session.has_image else 'is missing'}, "
        f"the end is {session.end}. Of {session.lines} lines, {smaller.lines} show it:\n\n{rounds}\n\n"
        f"To repeat it: scripts/soak --lines {repeat}"
    )
