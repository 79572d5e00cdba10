"""Times that have no reference beside them are taken while the machine is quiet.

Other programs, and other virtual machines on the same processors, can double the time of the same work.
A fixed calculation, timed before and after what is measured, shows it: on a quiet machine it takes about the
least time that it ever took.
"""

import os
from collections.abc import Callable, Sequence
from math import inf
from time import perf_counter
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

QUIET = 1.25
"""So many times its least time the calculation takes at most while the machine counts as quiet."""
TRIES = 4
"""So many times as often as was asked for a thing is measured at most, to have enough quiet moments."""
PATIENCE = 30_000
"""So often the calculation is timed in a run, at most, while it waits for quiet moments: for some minutes."""
STEPS, TIMES = 10_000, 4


class Taken(NamedTuple, Generic[T]):
    """What was measured in quiet moments; or all of it, if there were too few."""

    values: Sequence[T]
    is_quiet: bool


class Machine:
    """The machine, and the least time that the fixed calculation has taken on it."""

    def __init__(self, probe: Callable[[], float] | None = None, patience: int = PATIENCE) -> None:
        self.probe = probe or calculate
        self.patience = patience
        self.least = inf

    def take(self, measure: Callable[[], T], number: int, tries: int = TRIES) -> Taken[T]:
        """What is measured in so many quiet moments; again, if the machine was busy meanwhile.

        Half as many are enough, since they are all that count.
        """
        every: list[tuple[float, T]] = []
        while len(self.quiet(every)) < number and len(every) < number * tries:
            self.wait()
            every.append(self.timed(measure))
        quiet = self.quiet(every)
        return Taken(quiet, True) if 2 * len(quiet) >= number else Taken([value for _, value in every], False)

    def wait(self) -> None:
        """Wait for a quiet moment, as long as there is patience."""
        while self.patience and not self.is_quiet(self.probed()):
            self.patience -= 1

    def timed(self, measure: Callable[[], T]) -> tuple[float, T]:
        """What is measured, after the greater time of the calculation before and after it."""
        before = self.probed()
        value = measure()
        return max(before, self.probed()), value

    def probed(self) -> float:
        """The time that the calculation takes now."""
        time = self.probe()
        self.least = min(self.least, time)
        return time

    def quiet(self, every: Sequence[tuple[float, T]]) -> Sequence[T]:
        """Those of the measured values that were measured in a quiet moment."""
        return [value for time, value in every if self.is_quiet(time)]

    def is_quiet(self, time: float) -> bool:
        """Whether the machine is quiet when the calculation takes that time."""
        return time <= self.least * QUIET


def calculate() -> float:
    """The seconds that a fixed calculation takes, on the slowest of the processors where that is known."""
    if not hasattr(os, "sched_setaffinity"):
        return seconds()
    processors = os.sched_getaffinity(0)
    try:
        return max(seconds_on(processor) for processor in processors)
    finally:
        os.sched_setaffinity(0, processors)


def seconds_on(processor: int) -> float:
    """The seconds that the calculation takes on a processor."""
    os.sched_setaffinity(0, {processor})
    return seconds()


def seconds() -> float:
    """The seconds that the calculation takes; several times, so that what interrupts it counts, too."""
    started = perf_counter()
    for _ in range(TIMES):
        total = 0
        for number in range(STEPS):
            total += number & 3
    return perf_counter() - started
