"""Calls of the operating system: their errors make a primitive fail, and Smalltalk can ask for the reason."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from functools import wraps

from pharo_practice.machine.machine import Machine
from pharo_practice.machine.primitive import Function, PrimitiveFailed, primitive
from pharo_practice.model.objects import Value

_last_error = [0]


def system_call(name: str) -> Callable[[Function], Function]:
    """Register a primitive that fails when the system refuses what it asks for."""

    def register(function: Function) -> Function:
        def call(*arguments: Value) -> Value:
            try:
                return function(*arguments)
            except OSError as refused:
                _last_error[0] = refused.errno or 0
            except (TypeError, ValueError, OverflowError):  # Python checks the arguments before it asks
                _last_error[0] = errno.EINVAL
            raise PrimitiveFailed

        primitive(name)(wraps(function)(call))
        return function

    return register


@primitive("systemErrorNumber")
def _number(_vm: Machine, _receiver: Value, _handle: Value) -> int:
    return _last_error[0]


@primitive("systemErrorMessage")
def _message(vm: Machine, _receiver: Value) -> Value:
    """Return the reason why the last call failed, in the system's words."""
    return vm.string(os.strerror(_last_error[0]))
