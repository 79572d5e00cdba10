"""The process below the image, and the system below that."""

from __future__ import annotations

import gc
import os
import platform
import sys
from collections.abc import Callable

from pharo_standin.machine import Machine
from pharo_standin.objects import Value
from pharo_standin.primitive import PrimitiveFailed, primitive

FAMILIES = {"darwin": "MacOSX", "win32": "Windows"}
SYSTEM_NAMES = {"Darwin": "Mac OS", "Linux": "unix", "Windows": "Win32"}

SYSTEM_ATTRIBUTES: dict[int, Callable[[], str]] = {
    0: lambda: sys.executable,
    1001: lambda: SYSTEM_NAMES.get(platform.system(), platform.system()),
    1002: platform.release,
    1003: platform.machine,
    1004: lambda: f"Python {platform.python_version()}",
}
"""As a Pharo virtual machine numbers what it tells about itself and the system below."""


def _name(vm: Machine, value: Value) -> str:
    try:
        return vm.text(value)
    except TypeError:
        raise PrimitiveFailed from None


@primitive("systemAttribute")
def _system_attribute(vm: Machine, _receiver: Value, number: Value) -> Value:
    attribute = SYSTEM_ATTRIBUTES.get(number)
    return None if attribute is None else vm.string(attribute())


@primitive("platformFamily")
def _platform_family(vm: Machine, _receiver: Value) -> Value:
    return vm.string(FAMILIES.get(sys.platform, "Unix"))


@primitive("workingDirectory")
def _working_directory(vm: Machine, _receiver: Value) -> Value:
    return vm.string(os.getcwd())


@primitive("processId")
def _process_id(_vm: Machine, _receiver: Value) -> int:
    return os.getpid()


@primitive("memorySize")
def _memory_size(vm: Machine, _receiver: Value) -> int:
    """Bytes that the process holds now, or where only that is told the most it has held; else 0."""
    return vm.limits.held_memory() or _peak_memory()


def _peak_memory() -> int:
    if sys.platform == "win32":
        return 0
    import resource

    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


@primitive("collectGarbage")
def _collect_garbage(_vm: Machine, _receiver: Value) -> int:
    gc.collect()
    return 0


@primitive("systemExit")
def _exit(_vm: Machine, _receiver: Value, status: Value) -> Value:
    if type(status) is not int:
        raise PrimitiveFailed
    raise SystemExit(status)


@primitive("environmentAt")
def _environment_at(vm: Machine, _receiver: Value, key: Value) -> Value:
    found = os.environ.get(_name(vm, key))
    return None if found is None else vm.string(found)


@primitive("environmentAtPut")
def _environment_at_put(vm: Machine, _receiver: Value, key: Value, value: Value) -> Value:
    os.environ[_name(vm, key)] = _name(vm, value)
    return value


@primitive("environmentRemove")
def _environment_remove(vm: Machine, _receiver: Value, key: Value) -> Value:
    found = os.environ.pop(_name(vm, key), None)
    if found is None:
        raise PrimitiveFailed
    return vm.string(found)


@primitive("environmentKeys")
def _environment_keys(vm: Machine, _receiver: Value) -> Value:
    return vm.array([vm.string(key) for key in os.environ])
