"""The clocks of the operating system."""

from __future__ import annotations

import time

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import primitive
from pharo_practice.model.behavior import Value

SECONDS_FROM_1901_TO_1970 = 2_177_452_800
"""Smalltalk counts from the beginning of 1901, Unix from that of 1970, both by UTC."""


@primitive("clockMicroseconds")
def clock_microseconds(vm: Machine, receiver: Value) -> Value:
    """Microseconds since the beginning of 1901 by UTC."""
    return time.time_ns() // 1000 + SECONDS_FROM_1901_TO_1970 * 1_000_000


@primitive("clockMilliseconds")
def clock_milliseconds(vm: Machine, receiver: Value) -> Value:
    """Milliseconds of a clock that is never adjusted."""
    return time.monotonic_ns() // 1_000_000


@primitive("clockOffset")
def clock_offset(vm: Machine, receiver: Value) -> Value:
    """The current offset of local time from UTC, in minutes."""
    return time.localtime().tm_gmtoff // 60
