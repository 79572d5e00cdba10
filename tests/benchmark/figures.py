"""Figures of the benchmark: samples in rounds, reduced to medians, ratios and their spread."""

from collections.abc import Sequence
from math import ceil
from statistics import median
from typing import NamedTuple


def percentile(samples: Sequence[float], percent: float) -> float:
    """The smallest sample that so many percent of all samples do not exceed."""
    return sorted(samples)[max(0, ceil(len(samples) * percent / 100) - 1)]


KEPT, EXCEEDED, UNKNOWN = "kept", "exceeded", "unknown: the machine was busy"


class Figure(NamedTuple):
    """A measured value of a program, possibly compared with a reference that was measured beside it.

    `low` and `high` are the least and the greatest ratio of all rounds, or value if there is no reference.
    `limit` is the greatest ratio, or value, that counts as good enough.
    `is_quiet` tells whether the machine was quiet: a busy one makes a value greater, never less.
    """

    chapter: str
    name: str
    program: str
    unit: str
    value: float
    low: float
    high: float
    reference: str | None = None
    reference_value: float | None = None
    ratio: float | None = None
    limit: float | None = None
    is_quiet: bool = True

    @property
    def compared(self) -> float:
        """What the limit is for: the ratio if there is one."""
        return self.value if self.ratio is None else self.ratio

    @property
    def verdict(self) -> str:
        """Whether the limit is kept; nothing without a limit."""
        if self.limit is None:
            return ""
        if self.compared <= self.limit:
            return KEPT
        return EXCEEDED if self.is_quiet else UNKNOWN


class Measured(NamedTuple):
    """What a figure is about."""

    chapter: str
    name: str
    program: str
    unit: str
    limit: float | None = None

    def alone(self, values: Sequence[float], is_quiet: bool = True) -> Figure:
        """The figure for the values of some rounds."""
        spread = median(values), min(values), max(values)
        return Figure(*self[:4], *spread, limit=self.limit, is_quiet=is_quiet)

    def beside(self, reference: str, rounds: Sequence[tuple[float, float]]) -> Figure:
        """The figure for some rounds, each a value and that of the reference in the same round.

        Its ratio is the median of the ratios, which varies less than the ratio of two medians: what slows
        a whole round down slows both.
        """
        ratios = [value / reference_value for value, reference_value in rounds]
        return Figure(
            *self[:4],
            median(value for value, _ in rounds),
            min(ratios),
            max(ratios),
            reference,
            median(reference_value for _, reference_value in rounds),
            median(ratios),
            self.limit,
        )
