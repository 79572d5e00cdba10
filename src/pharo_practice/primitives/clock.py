"""The clocks of the operating system."""

from __future__ import annotations

import time

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import PrimitiveFailed, primitive
from pharo_practice.model.objects import Behavior, Pointers, Value
from pharo_practice.primitives.arguments import class_name

SECONDS_FROM_1901_TO_1970 = 2_177_452_800
"""Smalltalk counts from the beginning of 1901, Unix from that of 1970, both by UTC."""
SECONDS_OF_A_DAY = 86_400
JULIAN_DAY_OF_1901 = 2_415_386

DURATION_FIELDS = 2
DATE_AND_TIME_FIELDS = 4


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


@primitive("dateAndTimeNow")
def date_and_time_now(vm: Machine, receiver: Behavior) -> Pointers:
    """The current time, read by the offset that the operating system is set to."""
    duration = vm.classes["Duration"]
    if receiver.name != "DateAndTime":
        raise PrimitiveFailed
    if class_name(receiver.class_variables["LocalTimeZoneCache"].fields[1]) != "LocalTimeZone":
        raise PrimitiveFailed
    if receiver.instance_size != DATE_AND_TIME_FIELDS or duration.instance_size != DURATION_FIELDS:
        raise PrimitiveFailed
    seconds, microseconds = divmod(clock_microseconds(vm, None), 1_000_000)
    days, seconds = divmod(seconds, SECONDS_OF_A_DAY)
    offset = Pointers(duration, [0, clock_offset(vm, None) * 60])
    return Pointers(receiver, [seconds, offset, JULIAN_DAY_OF_1901 + days, microseconds * 1_000])
