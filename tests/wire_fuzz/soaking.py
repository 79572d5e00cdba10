"""Plays session after session until so many lines were sent; used by `scripts/soak`."""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic

from .playing import Fallen, Place, play
from .sessions import Session, session_by, shrunk
from .stub_image import stub_image

TELL = 10_000
"""Lines after which it is told how far it is."""
SHRINKING = 300.0
"""Seconds to look for fewer lines that are wrong as well; each try may take long, if something hangs."""


def soak(lines: int, seed: str, say: Callable[[str], None]) -> str | None:
    """Play sessions made of a seed, and stop at the first that is wrong; what to say of that one."""
    begun, sent, told, ends = monotonic(), 0, 0, Counter[str]()
    with somewhere() as place:
        for number in count():
            session = session_of(seed, number)
            if complaint := complaint_about(session, place):
                return report(session, place, complaint, repeat=f"--seed {seed} --session {number}")
            sent += session.lines
            ends[session.end.how] += 1
            if sent >= min(lines, told + TELL):
                told = sent
                processes = ", ".join(f"{how} {ends[how]}" for how in sorted(ends))
                say(f"{sent} lines in {monotonic() - begun:.0f} s, {ends.total()} processes: {processes}")
            if sent >= lines:
                return None
    raise AssertionError("there is no end of numbers")


def play_again(seed: str, number: int) -> str | None:
    """Play one session; what to say of it if it is wrong."""
    session = session_of(seed, number)
    with somewhere() as place:
        if complaint := complaint_about(session, place):
            return report(session, place, complaint, repeat=f"--seed {seed} --session {number}")
    return None


def session_of(seed: str, number: int) -> Session:
    """The same session for the same seed and number, everywhere."""
    return session_by(Random(f"{seed}/{number}"))


@contextmanager
def somewhere() -> Iterator[Place]:
    """An empty home and a stub image."""
    with tempfile.TemporaryDirectory() as home, stub_image() as url:
        yield Place(Path(home), url)


def complaint_about(session: Session, place: Place) -> str | None:
    """What is wrong with a session, if anything is."""
    try:
        play(session, place)
    except Fallen as fallen:
        return "\n".join(str(each) for each in fallen.args if each)
    return None


def report(session: Session, place: Place, complaint: str, repeat: str) -> str:
    """All that is needed to repeat what was wrong: with fewer lines, if it is wrong with these, too."""
    until = monotonic() + SHRINKING
    smaller = shrunk(session, lambda each: monotonic() < until and complaint_about(each, place) is not None)
    rounds = "\n\n".join("\n".join(map(repr, lines)) for lines in smaller.rounds)
    return (
        f"Wrong: {complaint}\n\nThe image {'is there' if session.has_image else 'is missing'}, "
        f"the end is {session.end}. Of {session.lines} lines, {smaller.lines} show it:\n\n{rounds}\n\n"
        f"To repeat it: scripts/soak --lines {repeat}"
    )
