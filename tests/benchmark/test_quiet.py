"""What is measured while the machine is quiet, with a fixed calculation whose times are given."""

from collections.abc import Iterable
from itertools import count

import pytest

from benchmark.quiet import TRIES, Machine, Taken, calculate

FAST, SLOW = 1.0, 2.0


def machine(times: Iterable[float], patience: int = 0) -> Machine:
    """A machine on which the calculation takes these times, and then the last of them."""
    known = iter(times)
    last = FAST

    def probe() -> float:
        nonlocal last
        last = next(known, last)
        return last

    return Machine(patience, probe, clock=count().__next__)  # one second for each calculation


def test_on_a_quiet_machine_everything_counts_and_nothing_is_repeated() -> None:
    values = count(1)
    assert machine([FAST]).take(lambda: next(values), 3) == Taken([1, 2, 3], True)
    assert next(values) == 4


@pytest.mark.parametrize(
    "probes", [[FAST, SLOW, FAST, FAST], [SLOW, FAST, FAST, FAST]], ids=["after", "before"]
)
def test_what_was_measured_while_the_machine_was_busy_is_measured_again(probes: list[float]) -> None:
    values = count(1)
    assert machine(probes).take(lambda: next(values), 1) == Taken([2], True)


def test_what_seemed_quiet_does_not_count_once_the_machine_was_seen_faster() -> None:
    values = count(1)
    assert machine([SLOW, SLOW, FAST]).take(lambda: next(values), 2) == Taken([2, 3], True)


def test_on_a_machine_that_stays_busy_everything_counts_and_is_marked() -> None:
    values = count(1)
    taken = machine([FAST, SLOW]).take(lambda: next(values), 2)
    assert taken == Taken(list(range(1, 2 * TRIES + 1)), False)


def test_half_as_many_quiet_moments_are_enough() -> None:
    values = count(1)
    assert machine([FAST, FAST, SLOW]).take(lambda: next(values), 2) == Taken([1], True)


def test_small_differences_do_not_make_a_machine_busy() -> None:
    assert machine([FAST, FAST * 1.2]).take(lambda: "value", 1).is_quiet


def test_a_quiet_moment_is_waited_for() -> None:
    values = count(1)
    busy_then_quiet = machine([FAST, SLOW, SLOW, SLOW, FAST], patience=3)
    assert busy_then_quiet.probed() == FAST
    assert busy_then_quiet.take(lambda: next(values), 1, tries=1) == Taken([1], True)


def test_patience_is_for_all_waits_together() -> None:
    always_busy = machine([FAST, SLOW], patience=3)
    assert always_busy.probed() == FAST
    for value in range(5):
        assert always_busy.take(lambda value=value: value, 1, tries=1) == Taken([value], False)  # type: ignore[misc]
    assert always_busy.patience == 0


def test_the_calculation_takes_time_on_this_machine() -> None:
    assert calculate() > 0
