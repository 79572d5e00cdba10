"""The registry of primitives: Python functions that kernel methods name."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from pharo_standin.objects import Value

Primitive: TypeAlias = Callable[..., Value]
"""Takes the machine, the receiver and the arguments; answers a value or ``SWITCH``."""

PRIMITIVES: dict[str, Primitive] = {}


class PrimitiveFailed(Exception):
    """Raised by a primitive that cannot: the Smalltalk code of its method runs instead."""


FAILURES = (PrimitiveFailed, TypeError, ValueError, AttributeError, LookupError, ArithmeticError)
"""What a primitive raises for a receiver or argument that it was not made for: all of it is failing."""


class _Switch:
    """The answer of a primitive that has set the machine's active context and pushed what it must."""


SWITCH = _Switch()


def primitive(name: str) -> Callable[[Primitive], Primitive]:
    """Register a function under the name that ``<primitive: 'name' module: 'standin'>`` uses."""

    def register(function: Primitive) -> Primitive:
        assert name not in PRIMITIVES, name  # noqa: S101
        PRIMITIVES[name] = function
        return function

    return register
