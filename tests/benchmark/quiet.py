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
"""On a quiet machine the calculation takes at most this many times its least time."""
TRIES = 4
"""A thing is measured at most this many times as often as was asked for, to have enough quiet moments."""
PATIENCE = 120.0
"""Seconds that a run waits for quiet moments, in all."""
STEPS, TIMES = 10_000, 4
"""The steps of the calculation, and how often it is done for one measurement: about a millisecond in all."""


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


class Taken(NamedTuple, Generic[T]):
    """What was measured in quiet moments; or all of it, if there were too few."""

    values: Sequence[T]
    is_quiet: bool


class Machine:
    """The machine, and the least time that the fixed calculation has taken on it."""

    def __init__(
        self,
        patience: float = PATIENCE,
        probe: Callable[[], float] = calculate,
        clock: Callable[[], float] = perf_counter,
    ) -> None:
        self.patience = patience
        self.probe = probe
        self.clock = clock
        self.least = inf

    def take(self, measure: Callable[[], T], number: int, tries: int = TRIES) -> Taken[T]:
        """What is measured in so many quiet moments, or half as many; what was disturbed is repeated."""
        every: list[tuple[float, T]] = []
        while len(self.quiet(every)) < number and len(every) < number * tries:
            self.wait()
            every.append(self.timed(measure))
        quiet = self.quiet(every)
        return Taken(quiet, True) if 2 * len(quiet) >= number else Taken([value for _, value in every], False)

    def wait(self) -> None:
        """Wait for a quiet moment, as long as there is patience."""
        while self.patience > 0:
            begun = self.clock()
            if self.is_quiet(self.probed()):
                return
            self.patience -= self.clock() - begun

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
