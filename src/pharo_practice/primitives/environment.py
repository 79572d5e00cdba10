"""The process that runs the image, the operating system, and its clocks."""

from __future__ import annotations

import gc
import os
import socket
import sys
import time
from collections.abc import Callable
from types import ModuleType

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import Primitive, PrimitiveFailed, primitive
from pharo_practice.model.object_memory import text_of
from pharo_practice.model.objects import Value
from pharo_practice.primitives.system_calls import system_call

FAMILIES = {"darwin": "MacOSX", "win32": "Windows"}
SYSTEM_NAMES = {"Darwin": "Mac OS", "Linux": "unix", "Windows": "Win32"}

SYSTEM_ATTRIBUTES: dict[int, Callable[[Machine], str]] = {
    0: lambda _: sys.executable,
    1: lambda vm: os.path.join(os.getcwd(), f"{vm.image_name}.image"),
    1001: lambda _: SYSTEM_NAMES.get(_platform().system(), _platform().system()),
    1002: lambda _: _platform().release(),
    1003: lambda _: _platform().machine(),
    1004: lambda _: f"Python {_platform().python_version()}",
}
"""System attributes by the numbers that they have in a Pharo virtual machine."""


def _platform() -> ModuleType:
    import platform  # here: few ask for it

    return platform


ENVIRONMENT: dict[str, Primitive] = {
    "platformFamily": lambda vm, _receiver: vm.string(FAMILIES.get(sys.platform, "Unix")),
    "workingDirectory": lambda vm, _receiver: vm.string(os.getcwd()),
    "processId": lambda _vm, _receiver: os.getpid(),
    "hostName": lambda vm, _receiver: vm.string(socket.gethostname()),
    "memorySize": lambda vm, _receiver: vm.limits.held_memory(),
    "maxOldSpaceSize": lambda vm, _receiver: vm.limits.old_space,
    "systemAttribute": lambda vm, _receiver, number: (
        vm.string(SYSTEM_ATTRIBUTES[number](vm)) if number in SYSTEM_ATTRIBUTES else None
    ),
    "environmentAt": lambda vm, _receiver, key: (
        vm.string(os.environ[name]) if (name := text_of(key)) in os.environ else None
    ),
    "environmentRemove": lambda vm, _receiver, key: vm.string(os.environ.pop(text_of(key))),
    "environmentKeys": lambda vm, _receiver: vm.array([vm.string(key) for key in os.environ]),
}
"""What the operating system knows."""

for _name, _function in ENVIRONMENT.items():
    system_call(_name)(_function)


@primitive("setMaxOldSpaceSize")
def _set_max_old_space_size(vm: Machine, receiver: Value, size: Value) -> Value:
    if type(size) is not int or size < 0:
        raise PrimitiveFailed
    vm.limits.old_space = size
    return receiver


@primitive("collectGarbage")
def _collect_garbage(_vm: Machine, _receiver: Value) -> int:
    gc.collect()
    return 0


@primitive("systemExit")
def _exit(_vm: Machine, _receiver: Value, status: Value) -> Value:
    if type(status) is not int:
        raise PrimitiveFailed
    raise SystemExit(status)


@primitive("environmentAtPut")
def _environment_at_put(vm: Machine, _receiver: Value, key: Value, value: Value) -> Value:
    os.environ[text_of(key)] = text_of(value)
    return value


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
